import { stopwatch } from '../../core/server/time.ts'
import { freezeLedger } from '../../db/payment/ledger.ts'
import type { Deps } from '../deps.ts'

/**
 * Freezes the ledger when every block before the sale end is final and folded. Posted hashes never hold it
 * up. Safe to run at any time and twice: it does nothing before, and nothing again.
 */
export async function closeSale({ db, log }: Pick<Deps, 'db' | 'log'>): Promise<void> {
  const durationMs = stopwatch()
  const frozen = await freezeLedger(db)
  if (frozen) log.info({ ...frozen, durationMs: durationMs() }, 'ledger frozen')
}
