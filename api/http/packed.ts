import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** A text as it is sent: its bytes, and what is fewer of them once that is there. */
export type Packed = {
  plain: Uint8Array<ArrayBuffer>
  br?: Uint8Array<ArrayBuffer>
  gzip?: Uint8Array<ArrayBuffer>
}

/** In bytes. A smaller text fits into one packet. */
const least = 600
const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

/** Compresses once, in a thread; the plain bytes are sent until then. */
export function pack(text: string): Packed {
  const packed: Packed = { plain: new TextEncoder().encode(text) }
  if (packed.plain.length >= least) compress(packed).catch(() => undefined)
  return packed
}

async function compress(packed: Packed): Promise<void> {
  const [br, small] = await Promise.all([
    promisify(brotliCompress)(packed.plain, quick),
    promisify(gzip)(packed.plain),
  ])
  packed.br = new Uint8Array(br)
  packed.gzip = new Uint8Array(small)
}

/** The bytes for this caller and their headers; whatever is sent, caches keep one of each encoding. */
export function unpack(request: Request, packed: Packed, headers: Headers): Response {
  const accepted = request.headers.get('accept-encoding') ?? ''
  for (const encoding of ['br', 'gzip'] as const) {
    const body = packed[encoding]
    if (!body || !accepts(accepted, encoding)) continue
    const own = new Headers(headers)
    own.set('content-encoding', encoding)
    return new Response(body, { headers: own })
  }
  return new Response(packed.plain, { headers })
}

const accepts = (accepted: string, encoding: string): boolean =>
  accepted.split(',').some((part) => {
    const [name, quality] = part.trim().split(/\s*;\s*q=/)
    return name === encoding && Number(quality ?? 1) > 0
  })
