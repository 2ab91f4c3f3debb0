/** Why an endpoint gave no usable answer. No kind says anything about the chain itself. */
export type FailureKind =
  | 'network'
  | 'timeout'
  | 'http'
  | 'busy'
  | 'body'
  | 'too-large'
  | 'rpc'
  | 'wrong-chain'
  | 'resting'
  | 'behind'
  | 'pruned'
  | 'no-logs'

/** One endpoint failed. `text` comes from the endpoint: it is classified, never shown or logged. */
export class RpcFailure extends Error {
  override name = 'RpcFailure'
  readonly #text: string
  constructor(
    readonly kind: FailureKind,
    readonly code?: number,
    text = '',
    readonly retryAfterMs?: number,
  ) {
    super(code === undefined ? kind : `${kind} ${code}`)
    this.#text = text
  }
  says(pattern: RegExp | ((text: string) => boolean)): boolean {
    return typeof pattern === 'function' ? pattern(this.#text) : pattern.test(this.#text)
  }
}

/** True when the endpoint itself is in trouble, not when it refuses one request. */
export const isOutage = (failure: RpcFailure): boolean =>
  !['rpc', 'too-large', 'behind', 'pruned', 'no-logs', 'resting'].includes(failure.kind)

/** True when a batch may be too large: providers differ in the size they accept and in how they refuse. */
export const isBatchRefusal = ({ kind, code }: RpcFailure): boolean =>
  ['rpc', 'too-large', 'body'].includes(kind) || (kind === 'http' && code !== 401 && code !== 403)

/** How nodes and providers refuse an answer for its size; the wording differs. */
const saysTooLarge = /too (large|big)|(response|result|body)\b.*\b(exceed|limit)/i

/** True when the answer to a single question would be too large, by our limit or the endpoint's. */
export const isTooLarge = (error: unknown): boolean =>
  error instanceof RpcFailure &&
  (error.kind === 'too-large' || (error.kind === 'rpc' && error.says(saysTooLarge)))
