import { stopwatch } from '../../core/server/time.ts'
import { freezeLedger } from '../../db/payment/ledger.ts'
import type { Deps } from '../deps.ts'

/**
 * Freezes the ledger when every block before the sale end is final and folded. Posted hashes never delay it.
 * Safe to run at any time and twice: before that and once frozen, nothing changes.
 */
export async function closeSale({ db, log }: Pick<Deps, 'db' | 'log'>): Promise<void> {
  const durationMs = stopwatch()
  const frozen = await freezeLedger(db)
  if (frozen) log.info({ ...frozen, durationMs: durationMs() }, 'ledger frozen')
}
