import { poll } from '../../core/server/time.ts'
import type { Db } from '../../db/index.ts'
import { isBusy, type Offer } from '../../db/refund/flights.ts'
import type { Deps } from '../deps.ts'

const waitMs = 10_000
const lookEveryMs = 250

/**
 * Waits until the last transactions of the wallet are final, or are known to be the ones that it has reported; the
 * offer that follows refuses what is still under way after ten seconds. Nobody holds a lock meanwhile.
 */
export async function waitForTraffic(
  db: Db,
  jobs: Deps['jobs'],
  offer: Pick<Offer, 'wallet' | 'nonce'>,
): Promise<void> {
  const isQuiet = async () => {
    if (!(await isBusy(db, offer))) return true
    void jobs.enqueue('watch-refunds', {}, { jobId: `watch-refunds-call-${Math.floor(Date.now() / 1000)}` })
    return undefined
  }
  await poll(isQuiet, { withinMs: waitMs, everyMs: lookEveryMs })
}
