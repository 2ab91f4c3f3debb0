import type { Address, Hex } from 'viem'
import { word } from '../chain/calldata.ts'

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

/** What is known of a request in flight. */
export type Flight = {
  /** The highest nonce that it can use if the wallet keeps to what it is given; null: it was never offered. */
  nonceBound: number | null
  /** The nonce of the transaction that was reported for it, once the chain has shown it. */
  transactionNonce: number | null
  /**
   * Its bound proves nothing by itself: a relay may send it with no nonce of the wallet (a delegated account, a
   * paymaster), or the wallet gives it the next nonce at whatever time it is approved.
   */
  relayed: boolean
  /** An administrator's word that nothing of it will ever be mined. */
  lostAt: Date | null
  /** When it was handed out, or the last time that a page waited for its wallet. */
  offeredAt: Date | null
}

/**
 * True when, by all that is known, nothing of a request can be mined any more; `finalNonce` counts the wallet's final
 * transactions. The chain is then asked once more, by another way, before the row is offered again.
 */
export function canBeOver(flight: Flight, finalNonce: number | undefined): boolean {
  const { nonceBound, transactionNonce, relayed, lostAt } = flight
  if (nonceBound === null) return lostAt !== null
  if (finalNonce === undefined || finalNonce <= nonceBound) return false
  return !relayed || lostAt !== null || (transactionNonce !== null && transactionNonce < finalNonce)
}

const dayMs = 24 * 3_600_000

/** From when on an administrator may say of a request that it is lost: popups are gone by then, relays have given up. */
export const lostFrom = ({ offeredAt }: Pick<Flight, 'offeredAt'>): Date =>
  new Date((offeredAt?.getTime() ?? 0) + dayMs)

/**
 * True when the wallet has pending transactions that are none of `explained`, the nonces of those that it has
 * reported: one of them may be a refund that was sent by hand, or one whose answer was lost, so no row is offered until
 * they are final.
 */
export const hasUnknownTraffic = (nonce: number, finalNonce: number, explained: readonly number[]): boolean =>
  nonce > finalNonce + new Set(explained.filter((one) => one >= finalNonce && one < nonce)).size

/** True for calldata that names the payee and the amount, in whatever call they stand. */
export function paysRow(input: Hex, { recipient, units }: { recipient: Address; units: bigint }): boolean {
  const text = input.toLowerCase()
  return text.includes(recipient.slice(2).toLowerCase()) && text.includes(word(units))
}
