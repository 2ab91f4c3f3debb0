import type { Address } from 'viem'
import type { DeskRow } from './types.ts'

/** A page that waits for its wallet renews its claim every 20 seconds; after a minute none is waiting. */
const leaseMs = 60_000

/** What rows with an unknown outcome wait for, besides what the chain shows of them. */
export type Waiting = {
  /** Some page may still wait for its wallet. */
  isAttended: boolean
  /** Since when the first of them is with a wallet. */
  since: number
  /** The nonce that has to be final; undefined where no nonce decides, as through the register. */
  bound: number | undefined
  /** When an administrator may say of the next one that it is lost; undefined if none has to wait for it. */
  lostFrom: number | undefined
  /** Rows of which that may be said now. */
  toCallLost: number[]
  /** Rows of which it was said, and whose nonces are not final yet. */
  calledLost: number
}

/**
 * True for a request that the wallet's nonces do not end: a relay, a wallet with nonces of its own, a mere report.
 * @internal
 */
export const needsWord = ({ state, nonceBound, offeredWallet, flight }: DeskRow): boolean =>
  flight !== null && (flight.relayed || (state === 'sent' && nonceBound === null && offeredWallet === null))

/** `now` in milliseconds by the server's clock. */
export function waitingOf(rows: readonly DeskRow[], now: number): Waiting {
  const times = rows.map(({ offeredAt }) => Date.parse(offeredAt ?? '') || now)
  const bounds = rows.flatMap(({ nonceBound }) => nonceBound ?? [])
  const unsaid = rows.flatMap((row) =>
    needsWord(row) && row.flight && row.flight.lostAt === null
      ? { id: row.id, from: Date.parse(row.flight.lostFrom) }
      : [],
  )
  const later = unsaid.filter(({ from }) => from > now).map(({ from }) => from)
  return {
    isAttended: rows.some(({ state }, index) => state === 'offered' && now - (times[index] ?? 0) <= leaseMs),
    since: Math.min(...times),
    bound: bounds.length > 0 ? Math.max(...bounds) : undefined,
    lostFrom: later.length > 0 ? Math.min(...later) : undefined,
    toCallLost: unsaid.filter(({ from }) => from <= now).map(({ id }) => id),
    calledLost: rows.filter(({ flight }) => flight?.lostAt).length,
  }
}

/** The last nonce of this wallet that a request without an answer can use; undefined where none of these rows is its own. */
export function boundOf(rows: readonly DeskRow[], wallet: Address): number | undefined {
  const bounds = rows.flatMap(({ offeredWallet, nonceBound }) =>
    offeredWallet?.toLowerCase() === wallet.toLowerCase() ? (nonceBound ?? []) : [],
  )
  return bounds.length > 0 ? Math.max(...bounds) : undefined
}
