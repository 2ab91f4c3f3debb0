import { RaffleError } from '../../core/errors.ts'

const urlBytes = 8_192
const headerBytes = 16_384
/** The largest body any route takes is an image of 5 MiB; each route has its own limit below this. */
const bodyBytes = 8 * 1024 * 1024

export const isTooLong = ({ url }: Request): boolean => url.length > urlBytes

/**
 * Refuses requests that are too long before any other check. Bun itself answers 431, without a body, to more
 * than 16 KiB of request line and headers together or more than 200 headers, and 413 to a body over 64 MiB.
 */
export function expectSize(request: Request): void {
  const { headers } = request
  if (isTooLong(request))
    throw new RaffleError('URL_TOO_LONG', `The address is longer than ${urlBytes} bytes.`)
  let size = 0
  for (const [name, value] of headers) size += name.length + value.length + 4
  if (size > headerBytes)
    throw new RaffleError('HEADERS_TOO_LARGE', `The headers are larger than ${headerBytes} bytes.`)
  if (Number(headers.get('content-length') ?? 0) > bodyBytes)
    throw new RaffleError('BODY_TOO_LARGE', 'The body is too large.')
}
