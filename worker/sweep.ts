import type { JobQueue } from '../core/server/queue.ts'
import { dueAnchors } from '../db/draw/anchors.ts'
import { dueDraws } from '../db/draw/facts.ts'
import { dueClaims } from '../db/payment/claim-checks.ts'
import { canFreeze } from '../db/payment/ledger.ts'
import { dueSecondReading } from '../db/payment/second-reading.ts'
import { dueRefundWork } from '../db/refund/due.ts'
import type { Deps } from './deps.ts'

type Rung = { db: Deps['db']; jobs: Pick<JobQueue, 'enqueue' | 'enqueueMany'> }

/** Adds a job for everything that is due by its row: the queue may have lost the job, the row remains. */
export async function sweep({ db, jobs }: Rung): Promise<void> {
  await ringClaims({ db, jobs })
  // An id per time slot: a job lost with a killed worker does not block the next one.
  if (await canFreeze(db)) await jobs.enqueue('close-sale', {}, { jobId: `close-sale-${slot()}` })
  else if (await dueSecondReading(db))
    await jobs.enqueue('second-reading', {}, { jobId: `second-reading-${slot()}` })
  for (const eventNumber of await dueAnchors(db))
    await jobs.enqueue('anchor', { eventNumber }, { jobId: `anchor-${eventNumber}-${slot()}` })
  for (const eventNumber of await dueDraws(db))
    await jobs.enqueue('draw', { eventNumber }, { jobId: `draw-${eventNumber}-${slot()}` })
  await ringRefunds({ db, jobs })
}

const slotMs = 2_000
const slot = (): number => Math.floor(Date.now() / slotMs)

/** While no refund can go out the watch may run less often; it only must not fall behind. */
const idleWatchSlots = 5

async function ringRefunds({ db, jobs }: Pick<Rung, 'db' | 'jobs'>): Promise<void> {
  const { events, mustAsk, isOpen } = await dueRefundWork(db)
  for (const eventNumber of events)
    await jobs.enqueue(
      'prepare-refunds',
      { eventNumber },
      { jobId: `prepare-refunds-${eventNumber}-${slot()}` },
    )
  if (mustAsk) await jobs.enqueue('prepare-refunds', {}, { jobId: `prepare-refunds-${slot()}` })
  if (isOpen || slot() % idleWatchSlots === 0)
    await jobs.enqueue('watch-refunds', {}, { jobId: `watch-refunds-${slot()}` })
}

const claimsAtOnce = 2_000
/** A job for many claims: their receipts are requested in one batch, and the queue carries fewer jobs. */
const claimsPerJob = 100

async function ringClaims({ db, jobs }: Pick<Rung, 'db' | 'jobs'>): Promise<void> {
  const hashes = await dueClaims(db, claimsAtOnce)
  const due = []
  for (let at = 0; at < hashes.length; at += claimsPerJob) {
    const batch = hashes.slice(at, at + claimsPerJob)
    due.push({ payload: { hashes: batch }, jobId: `verify-payment-${slot()}-${batch[0]}` })
  }
  if (due.length > 0) await jobs.enqueueMany('verify-payment', due)
}
