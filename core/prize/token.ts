import type { Address } from 'viem'
import { smaller } from '../refund/allocate.ts'
import type { TransferMark } from '../refund/classes.ts'

/** A prize that is paid in the token. */
export type TokenPrize = {
  eventNumber: number
  place: number
  token: Address
  wallet: Address
  units: bigint
  /** The newest final block when its draw was recorded. */
  drawnBlock: bigint
}

/** A final transfer out of a wallet of ours. */
export type Sent = {
  key: string
  token: Address
  recipient: Address
  units: bigint
  blockNumber: bigint
  /** By the register's own log. */
  debtor: Address | null
  /** What an administrator said that it was for. */
  mark: TransferMark | null
}

export type Settled<P extends TokenPrize> = {
  /** What each transfer, by its key, paid of which prize. */
  paid: Map<string, { prize: P; units: bigint }>
  unpaid: Map<P, bigint>
}

/**
 * Which of these transfers, in chain order, paid which of these prizes, by chain facts and marks alone: behind the draw,
 * to the drawn wallet, of exactly what is unpaid of the prize. What the register paid is a refund. A mark can make a
 * transfer of another amount a prize, or keep one from being it. Each transfer counts once.
 */
export function settlePrizes<P extends TokenPrize>(
  prizes: readonly P[],
  transfers: readonly Sent[],
): Settled<P> {
  const paid: Settled<P>['paid'] = new Map()
  const unpaid = new Map(prizes.map((prize) => [prize, prize.units]))
  const open = prizes.toSorted((a, b) => a.eventNumber - b.eventNumber || a.place - b.place)
  for (const sent of transfers) {
    if (sent.debtor !== null || (sent.mark !== null && sent.mark !== 'prize')) continue
    const prize = open.find((one) => {
      const left = unpaid.get(one) ?? 0n
      const isIts = one.wallet === sent.recipient && one.token === sent.token
      const isBehind = sent.blockNumber > one.drawnBlock
      return isIts && isBehind && (sent.mark === 'prize' ? left > 0n : left > 0n && left === sent.units)
    })
    if (!prize) continue
    const left = unpaid.get(prize) as bigint
    const units = smaller(left, sent.units)
    unpaid.set(prize, left - units)
    paid.set(sent.key, { prize, units })
  }
  return { paid, unpaid }
}
