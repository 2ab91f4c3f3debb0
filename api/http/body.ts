import { RaffleError } from '../../core/errors.ts'
import { readBytes } from './read-bytes.ts'

const limitBytes = 16_384
const arriveWithinMs = 15_000
const maxDepth = 16

/**
 * The JSON body of a request: at most 16 KiB if nothing else is said, within 15 s, regardless of its headers. An empty body is
 * BAD_JSON, or `empty` if that is given.
 * @internal
 */
export async function readJson(
  request: Request,
  deadlineMs = arriveWithinMs,
  empty?: unknown,
  maxBytes = limitBytes,
): Promise<unknown> {
  const type = request.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase()
  if (type !== 'application/json')
    throw new RaffleError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json.')
  const tooLarge = () => new RaffleError('BODY_TOO_LARGE', `The body is larger than ${maxBytes} bytes.`)
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge()
  const bytes = await readBytes(request, { maxBytes, withinMs: deadlineMs, tooLarge })
  if (bytes.length === 0 && empty !== undefined) return empty
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    if (depthOf(value) <= maxDepth) return value
  } catch {
    // Falls through: cut, empty and wrongly encoded bodies get the same answer as bodies nested too deeply.
  }
  throw new RaffleError('BAD_JSON', 'The body is not valid JSON.')
}

/**
 * As readJson, for calls whose body is an object; with `mayBeEmpty` a missing body counts as an empty object.
 */
export async function readObject(
  request: Request,
  mayBeEmpty = false,
  maxBytes?: number,
): Promise<Record<string, unknown>> {
  if (mayBeEmpty && (request.body === null || request.headers.get('content-length') === '0')) return {}
  const value = await readJson(request, arriveWithinMs, mayBeEmpty ? {} : undefined, maxBytes)
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>
  throw new RaffleError('INVALID_VALUE', 'The body must be a JSON object.')
}

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Math.max(0, ...Object.values(value).map(depthOf))
}
