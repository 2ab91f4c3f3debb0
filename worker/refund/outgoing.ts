import type { Hash } from 'viem'
import type { Outgoing } from '../../db/refund/outgoing.ts'
import type { Reading } from '../chain/range.ts'

export const nothingSent: Outgoing = { transfers: [], entries: [] }

/**
 * What a reading found, as it is recorded. Transfers between two wallets of ours too: a wallet may have paid before it
 * was ours, and the books must add up.
 */
export function toOutgoing({ transfers, entries }: Pick<Reading, 'transfers' | 'entries'>): Outgoing {
  return {
    transfers: numbered(transfers).map(({ from, to, value, ...rest }) => ({
      ...rest,
      ...{ wallet: from, recipient: to, units: value },
    })),
    entries: numbered(entries).map(({ transactionIndex: _, logIndex: __, ...rest }) => rest),
  }
}

/** Each with its place among those of its transaction; both come in chain order. */
function numbered<T extends { transactionHash: Hash }>(logs: readonly T[]): (T & { logPosition: number })[] {
  const seen = new Map<Hash, number>()
  return logs.map((log) => {
    const logPosition = seen.get(log.transactionHash) ?? 0
    seen.set(log.transactionHash, logPosition + 1)
    return { ...log, logPosition }
  })
}
