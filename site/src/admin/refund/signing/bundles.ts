import type { Address } from 'viem'
import type { Eip1193 } from '../../../wallet/eip1193.ts'
import type { DeskRow } from '../types.ts'
import { findBatch } from './batch.ts'
import type { RefundApi } from './types.ts'

/** The batches that a wallet has taken of these rows, with no transaction known yet. */
export function bundlesOf(rows: readonly DeskRow[], wallet: Address): { ids: number[]; bundle: string }[] {
  const open = rows.flatMap(({ id, state, offeredWallet, flight }) =>
    state === 'offered' && flight?.bundle && offeredWallet?.toLowerCase() === wallet.toLowerCase()
      ? { id, bundle: flight.bundle }
      : [],
  )
  return [...Map.groupBy(open, ({ bundle }) => bundle)].map(([bundle, rows]) => ({
    bundle,
    ids: rows.map(({ id }) => id),
  }))
}

/**
 * Asks the wallet once what became of the batches that it has taken, also from a page that is gone or in another
 * browser, and tells the server of those that are in a block.
 */
export async function followBundles(
  provider: Eip1193,
  api: Pick<RefundApi, 'bundles' | 'sent'>,
  wallet: Address,
): Promise<void> {
  for (const { ids, bundle } of await api.bundles(wallet)) {
    const hash = await findBatch(provider, bundle, { timeoutMs: 0 })
    if (hash) await api.sent(ids, hash)
  }
}
