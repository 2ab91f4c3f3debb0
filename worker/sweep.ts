import type { Bell } from '../core/server/queue.ts'
import { dueAnchors } from '../db/draw/anchors.ts'
import { dueDraws } from '../db/draw/facts.ts'
import { dueClaims } from '../db/payment/claim-checks.ts'
import { canFreeze } from '../db/payment/ledger.ts'
import { dueRefundWork } from '../db/refund/due.ts'
import type { Deps } from './deps.ts'

type Rung = { db: Deps['db']; bell: Pick<Bell, 'ring' | 'ringAll'>; autoDraw: boolean }

/** Adds a job for everything that is due by its row: the queue may have lost the job, the row remains. */
export async function sweep({ db, bell, autoDraw }: Rung): Promise<void> {
  await ringClaims({ db, bell })
  // An id per time slot: a job lost with a killed worker does not block the next one.
  if (await canFreeze(db)) await bell.ring('close-sale', {}, { jobId: `close-sale-${slot()}` })
  for (const eventNumber of await dueAnchors(db))
    await bell.ring('anchor', { eventNumber }, { jobId: `anchor-${eventNumber}-${slot()}` })
  for (const eventNumber of await dueDraws(db, { autoDraw }))
    await bell.ring('draw', { eventNumber }, { jobId: `draw-${eventNumber}-${slot()}` })
  await ringRefunds({ db, bell })
}

const slotMs = 2_000
const slot = (): number => Math.floor(Date.now() / slotMs)

/** While no refund can go out the watch may run less often; it only must not fall behind. */
const idleWatchSlots = 5

async function ringRefunds({ db, bell }: Pick<Rung, 'db' | 'bell'>): Promise<void> {
  const { events, mustAsk, isOpen } = await dueRefundWork(db)
  for (const eventNumber of events)
    await bell.ring('prepare-refunds', { eventNumber }, { jobId: `prepare-refunds-${eventNumber}-${slot()}` })
  if (mustAsk) await bell.ring('prepare-refunds', {}, { jobId: `prepare-refunds-${slot()}` })
  if (isOpen || slot() % idleWatchSlots === 0)
    await bell.ring('watch-refunds', {}, { jobId: `watch-refunds-${slot()}` })
}

const claimsAtOnce = 2_000
/** A job for many claims: their receipts are requested in one batch, and the queue carries fewer jobs. */
const claimsPerJob = 100

async function ringClaims({ db, bell }: Pick<Rung, 'db' | 'bell'>): Promise<void> {
  const hashes = await dueClaims(db, claimsAtOnce)
  const jobs = []
  for (let at = 0; at < hashes.length; at += claimsPerJob) {
    const batch = hashes.slice(at, at + claimsPerJob)
    jobs.push({ payload: { hashes: batch }, jobId: `verify-payment-${slot()}-${batch[0]}` })
  }
  if (jobs.length > 0) await bell.ringAll('verify-payment', jobs)
}
