import { type BeaconNetwork, quicknet } from '../core/draw/beacon.ts'
import type { JobQueue } from '../core/server/queue.ts'
import { dueDraws } from '../db/draw/facts.ts'
import { openWalletProofs, purgeWalletProofs } from '../db/event/wallet-proofs.ts'
import { dueClaims, purgeClaims } from '../db/payment/claims.ts'
import { canFreeze } from '../db/payment/ledger.ts'
import { lostLines } from '../db/payment/rewind.ts'
import { dueSecondReading } from '../db/payment/second-reading.ts'
import { unseenHolders } from '../db/prize/claims.ts'
import { openReports } from '../db/refund/facts.ts'
import type { Deps } from './deps.ts'
import { ringDeliveries } from './notify/send.ts'

type Jobs = Pick<JobQueue, 'enqueue'>
type SweepDeps = { db: Deps['db']; jobs: Jobs; network?: BeaconNetwork; now?: () => number }
/** `slot`: the time slot of this sweep, which ids of jobs end with. */
type Turn = Pick<SweepDeps, 'db' | 'jobs'> & { slot: number }

/** Adds a job for everything that is due by its row: the queue may have lost the job, the row remains. */
export async function sweep({ db, jobs, network = quicknet, now = Date.now }: SweepDeps): Promise<void> {
  const slot = Math.floor(now() / slotMs)
  const turn: Turn = { db, jobs, slot }
  await enqueueClaims(turn)
  // An id per time slot: a job lost with a killed worker does not block the next one.
  if (await canFreeze(db)) await jobs.enqueue('close-sale', {}, { jobId: `close-sale-${slot}` })
  else if (await dueSecondReading(db))
    await jobs.enqueue('second-reading', {}, { jobId: `second-reading-${slot}` })
  for (const eventNumber of await dueDraws(db, network))
    await jobs.enqueue('draw', { eventNumber }, { jobId: `draw-${eventNumber}-${slot}` })
  await enqueueRefunds(turn)
  if (slot % purgeSlots === 0) await purgeClaims(db)
  if (slot % proofSlots === 0) await purgeWalletProofs(db)
  if (slot % proofSlots === 0 && (await lostLines(db, 1)).length > 0)
    await jobs.enqueue('lost-lines', {}, { jobId: `lost-lines-${slot}` })
  // Nothing else waits for what is only told.
  await ringDeliveries(turn, slot % proofSlots === 0)
}

const slotMs = 2_000
/** Once an hour what was given up a month ago goes. */
const purgeSlots = 1_800
/** Once a minute what visitors had asked contracts in vain goes, lines that the chain had lost are asked about, and every message
 * that waits is looked at, tried or not. */
const proofSlots = 30

/** What wallets sent is read so often; at every turn while somebody waits for what a worker reads of the chain. */
const watchSlots = 5

async function enqueueRefunds({ db, jobs, slot }: Turn): Promise<void> {
  if (slot % watchSlots === 0 || (await isWorkerAwaited(db)))
    await jobs.enqueue('watch-refunds', {}, { jobId: `watch-refunds-${slot}` })
}

async function isWorkerAwaited(db: Deps['db']): Promise<boolean> {
  const awaited = await Promise.all([openWalletProofs(db), unseenHolders(db), openReports(db)])
  return awaited.flat().length > 0
}

const claimsAtOnce = 2_000
/** A job for many claims: their receipts are requested in one batch, and the queue carries fewer jobs. */
const claimsPerJob = 100

async function enqueueClaims({ db, jobs, slot }: Turn): Promise<void> {
  const hashes = await dueClaims(db, claimsAtOnce)
  const added: Promise<boolean>[] = []
  for (let at = 0; at < hashes.length; at += claimsPerJob) {
    const batch = hashes.slice(at, at + claimsPerJob)
    const jobId = `verify-payment-${slot}-${batch[0]}`
    added.push(jobs.enqueue('verify-payment', { hashes: batch }, { jobId }))
  }
  await Promise.all(added)
}
