import type { Address } from 'viem'
import { smaller } from '../../core/refund/allocate.ts'
import type { HeldWallet } from '../../db/flows/openings.ts'
import { saveReceipts } from '../../db/flows/receipts.ts'
import type { Deps } from '../deps.ts'

/**
 * Reads what came to wallets that only refund, up to block `head`: the scan looks for payments, and these take none. Safe to
 * run twice, and by many workers.
 */
export async function readReceipts(
  { db, chain }: Pick<Deps, 'db' | 'chain'>,
  wallets: readonly HeldWallet[],
  token: Address,
  head: bigint,
): Promise<void> {
  const due = wallets.flatMap(({ address, opening }) => {
    const receivedTo = opening?.receivedTo
    return receivedTo == null || receivedTo >= head ? [] : { address, receivedTo }
  })
  if (due.length === 0) return
  const addresses = due.map(({ address }) => address)
  let from = due.map(({ receivedTo }) => receivedTo).reduce(smaller) + 1n
  while (from <= head) {
    const range = { from, to: head, head, isFresh: true }
    const { end, transfers } = await chain.transfers({ tokens: [token], wallets: addresses }, range)
    await saveReceipts(db, { token, wallets: addresses, end: end.number }, transfers)
    from = end.number + 1n
  }
}
