/** Why an endpoint gave no usable answer. None of them says anything about the chain itself. */
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
  | 'no-logs'

/** One endpoint failed. `text` is the endpoint's own, to be classified and never to be shown or logged. */
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
  says(pattern: RegExp): boolean {
    return pattern.test(this.#text)
  }
}

/** True when the endpoint itself is in trouble, as opposed to refusing one question. */
export const isOutage = (failure: RpcFailure): boolean =>
  !['rpc', 'too-large', 'behind', 'no-logs', 'resting'].includes(failure.kind)

/** True when a batch may have been refused for its size: providers differ in how many they take, and in how they say so. */
export const isBatchRefusal = ({ kind, code }: RpcFailure): boolean =>
  ['rpc', 'too-large', 'body'].includes(kind) || (kind === 'http' && code !== 401 && code !== 403)
