/**
 * The nonce rule. A wallet's transactions carry the numbers 0, 1, 2 …, each mined at most once. A
 * request handed to the wallet and never answered can be mined as long as one of the numbers that it may carry
 * is free; once the final chain has used them all, it cannot be mined any more.
 *
 * `nonceBoundOf` is the highest number that a new request of `transactions` transactions can use, when the
 * wallet's next one is `nonce`. A node may lag behind the wallet, so the bounds of requests in flight count too.
 */
export function nonceBoundOf(nonce: number, transactions: number, inFlight: readonly number[]): number {
  return Math.max(nonce, ...inFlight.map((bound) => bound + 1)) + transactions - 1
}

/** True when nothing up to `bound` can be mined any more; `finalNonce` counts the wallet's final transactions. */
export const isSpent = (bound: number | null, finalNonce: number | undefined): boolean =>
  bound !== null && finalNonce !== undefined && finalNonce > bound

/**
 * True when the wallet has more pending transactions than it has reported (`reported`): one of them may be a
 * refund that was sent by hand, or one whose answer was lost, so no row is offered until they are final.
 */
export const hasUnknownTraffic = (nonce: number, finalNonce: number, reported: number): boolean =>
  nonce > finalNonce + reported
