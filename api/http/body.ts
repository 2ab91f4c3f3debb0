import { RaffleError } from '../../core/errors.ts'
import { withDeadline } from '../../core/server/time.ts'

const urlBytes = 8_192
const headerBytes = 16_384
/** The largest body any route takes is an image of 5 MiB; each route has its own limit below this. */
const mostBytes = 8 * 1024 * 1024
const jsonBytes = 16_384
const arriveWithinMs = 15_000
const maxDepth = 16

export const isTooLong = ({ url }: Request): boolean => url.length > urlBytes

/** Before any other check. Bun itself answers 431 to more than 16 KiB or 200 headers, and 413 to a body over
 * 64 MiB. */
export function expectSize(request: Request): void {
  const { headers } = request
  if (isTooLong(request)) throw new RaffleError('URL_TOO_LONG', { values: { most: urlBytes } })
  let size = 0
  for (const [name, value] of headers) size += name.length + value.length + 4
  if (size > headerBytes) throw new RaffleError('HEADERS_TOO_LARGE', { values: { most: headerBytes } })
  if (Number(headers.get('content-length') ?? 0) > mostBytes)
    throw new RaffleError('BODY_TOO_LARGE', { reason: 'body', values: { most: mostBytes } })
}

/** The JSON body of a request: at most 16 KiB if nothing else is said, within 15 s, regardless of its
 * headers. An empty body is BAD_JSON, or `empty` if that is given. @internal */
export async function readJson(
  request: Request,
  withinMs = arriveWithinMs,
  empty?: unknown,
  maxBytes = jsonBytes,
): Promise<unknown> {
  const type = request.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase()
  if (type !== 'application/json') throw new RaffleError('UNSUPPORTED_MEDIA_TYPE', { reason: 'json' })
  const tooLarge = () => new RaffleError('BODY_TOO_LARGE', { reason: 'body', values: { most: maxBytes } })
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge()
  const bytes = await readBytes(request, { maxBytes, withinMs, tooLarge })
  if (bytes.length === 0 && empty !== undefined) return empty
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    if (depthOf(value) <= maxDepth) return value
  } catch {
    // Falls through: cut, empty and wrongly encoded bodies get the same answer as bodies nested too deeply.
  }
  throw new RaffleError('BAD_JSON')
}

/** As readJson, for calls whose body is an object; with `mayBeEmpty` a missing body counts as an empty object. */
export async function readObject(request: Request, mayBeEmpty = false, maxBytes?: number): Promise<object> {
  if (mayBeEmpty && (request.body === null || request.headers.get('content-length') === '0')) return {}
  const value = await readJson(request, arriveWithinMs, mayBeEmpty ? {} : undefined, maxBytes)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw new RaffleError('INVALID_VALUE', { reason: 'object' })
}

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Math.max(0, ...Object.values(value).map(depthOf))
}

type Limits = { maxBytes: number; withinMs: number; tooLarge: () => RaffleError }

/** The body, counted while it arrives, regardless of its headers. Throws `tooLarge`, and BODY_TIMEOUT if it
 * is not complete after `withinMs`. */
export async function readBytes(
  request: Request,
  { maxBytes, withinMs, tooLarge }: Limits,
): Promise<Uint8Array> {
  const reader = request.body?.getReader()
  if (!reader) return new Uint8Array()
  const collect = async () => {
    const chunks: Uint8Array[] = []
    for (let size = 0; ; ) {
      const { done, value } = await reader.read()
      if (done) return Buffer.concat(chunks)
      size += value.byteLength
      if (size > maxBytes) throw tooLarge()
      chunks.push(value)
    }
  }
  try {
    return await withDeadline(withinMs, collect(), () => {
      throw new RaffleError('BODY_TIMEOUT')
    })
  } catch (error) {
    void reader.cancel().catch(() => undefined)
    throw error
  }
}
