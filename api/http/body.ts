import { RaffleError } from '../../core/errors.ts'

const limitBytes = 16_384
const arriveWithinMs = 15_000
const maxDepth = 16

/**
 * The JSON body of a request: at most 16 KiB, within 15 s, whatever its headers say about it. An empty one is
 * BAD_JSON, or `empty` where that is given.
 * @internal
 */
export async function readJson(
  request: Request,
  deadlineMs = arriveWithinMs,
  empty?: unknown,
): Promise<unknown> {
  const type = request.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase()
  if (type !== 'application/json')
    throw new RaffleError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json.')
  const bytes = await readBytes(request, deadlineMs)
  if (bytes.length === 0 && empty !== undefined) return empty
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    if (depthOf(value) <= maxDepth) return value
  } catch {
    // Falls through: cut, empty and wrongly encoded bodies get the same answer as too deep ones.
  }
  throw new RaffleError('BAD_JSON', 'The body is not valid JSON.')
}

/** As readJson, for calls whose body is an object; no body counts as an empty one where `mayBeEmpty`. */
export async function readObject(request: Request, mayBeEmpty = false): Promise<Record<string, unknown>> {
  if (mayBeEmpty && (request.body === null || request.headers.get('content-length') === '0')) return {}
  const value = await readJson(request, arriveWithinMs, mayBeEmpty ? {} : undefined)
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>
  throw new RaffleError('INVALID_VALUE', 'The body must be a JSON object.')
}

async function readBytes(request: Request, deadlineMs: number): Promise<Uint8Array> {
  const tooLarge = () => new RaffleError('BODY_TOO_LARGE', `The body is larger than ${limitBytes} bytes.`)
  if (Number(request.headers.get('content-length') ?? 0) > limitBytes) throw tooLarge()
  const reader = request.body?.getReader()
  if (!reader) return new Uint8Array()
  let timer: Timer | undefined
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new RaffleError('BODY_TIMEOUT', 'The body did not arrive in time.')),
      deadlineMs,
    )
  })
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for (;;) {
      const { done, value } = await Promise.race([reader.read(), deadline])
      if (done) return Buffer.concat(chunks)
      size += value.byteLength
      if (size > limitBytes) throw tooLarge()
      chunks.push(value)
    }
  } catch (error) {
    void reader.cancel().catch(() => undefined)
    throw error
  } finally {
    clearTimeout(timer)
  }
}

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Math.max(0, ...Object.values(value).map(depthOf))
}
