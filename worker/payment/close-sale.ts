import { stopwatch } from '../../core/server/time.ts'
import { freezeLedger } from '../../db/payment/ledger.ts'
import type { Deps } from '../deps.ts'
import { readSecond } from './second-reading.ts'

/**
 * Freezes the ledger when every block before the sale end is final and folded, and has been read twice. Posted
 * hashes never delay it, nor does a second reading that does not come about: half the lead later the ledger is
 * frozen without it. Safe to run at any time and twice: before that and once frozen, nothing changes.
 */
export async function closeSale(deps: Deps): Promise<void> {
  const { db, log } = deps
  const durationMs = stopwatch()
  await readSecond(deps).catch((err) => log.warn({ err }, 'the sale is not read twice yet'))
  const frozen = await freezeLedger(db, { waitForSecondReading: true })
  if (!frozen) return
  log.info({ ...frozen, durationMs: durationMs() }, 'ledger frozen')
  if (!frozen.isReadTwice)
    log.fatal({ eventNumber: frozen.eventNumber }, 'ledger frozen without a second reading of the sale')
}
