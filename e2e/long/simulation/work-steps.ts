import { isTemporary, RaffleError } from '../../../core/errors.ts'
import type { JobName, Jobs } from '../../../core/jobs.ts'
import type { JobQueue } from '../../../core/server/queue.ts'
import { claimPayment, dueClaims } from '../../../db/payment/claims.ts'
import type { Chain } from '../../../worker/chain/index.ts'
import type { Deps } from '../../../worker/deps.ts'
import { draw } from '../../../worker/draw/draw.ts'
import { askLostLines } from '../../../worker/payment/rewind.ts'
import { scan } from '../../../worker/payment/scan.ts'
import { closeSale, readSecond } from '../../../worker/payment/second-reading.ts'
import { ingestManual, verifyPayment } from '../../../worker/payment/verify.ts'
import { watchRefunds } from '../../../worker/refund/refunds.ts'
import { sweep } from '../../../worker/sweep.ts'
import { Killed, killedAt } from '../../lab/killed.ts'
import type { World } from './world.ts'

type Job = { [N in JobName]: { name: N; payload: Jobs[N] } }[JobName]

export const refundMinUnits = 10n ** 17n

/** As worker/main.ts has them. */
const run: { [N in JobName]: (deps: Deps, payload: Jobs[N]) => Promise<void> } = {
  'verify-payment': verifyPayment,
  scan: async (deps) => void (await scan(deps)),
  'close-sale': closeSale,
  'second-reading': readSecond,
  'lost-lines': askLostLines,
  'ingest-manual': ingestManual,
  draw,
  'watch-refunds': async (deps) => void (await watchRefunds({ ...deps, refundMinUnits })),
  // Nobody is told anything here: worker/notify/send.chain.test.ts is about that.
  'send-notification': async () => undefined,
}

/** The process may die at any await; what it says of the chain may only be "not now". */
export async function runJob(world: World, job: Job, dieAt: number | null = null): Promise<void> {
  const deps = dieAt === null ? world.deps : killedAt(world.deps, dieAt)
  await (run[job.name] as (deps: Deps, payload: unknown) => Promise<void>)(deps, job.payload).catch(
    (error) => {
      if (!(error instanceof Killed) && !isTemporary(error))
        throw new Error(`the job ${job.name} failed`, { cause: error })
      if (error instanceof RaffleError) world.refusal = error.code
    },
  )
}

export const scanOnce = (world: World, dieAt: number | null = null): Promise<void> =>
  runJob(world, { name: 'scan', payload: {} }, dieAt)

/** A scan to which no endpoint tells one of the transactions that it comes to: a hole that a second reading, or its buyer, finds. */
export async function overlook(world: World, which: number): Promise<void> {
  const { chain } = world.deps
  const transfers: Chain['transfers'] = async (watch, range) => {
    const read = await chain.transfers(watch, range)
    const hashes = [...new Set(read.transfers.map(({ transactionHash }) => transactionHash))]
    const lost = hashes[which % hashes.length]
    if (!lost) return read
    world.overlooked.add(lost)
    return { ...read, transfers: read.transfers.filter(({ transactionHash }) => transactionHash !== lost) }
  }
  const deps = { ...world.deps, chain: { ...chain, transfers } }
  await runJob({ ...world, deps }, { name: 'scan', payload: {} })
}

/** Whoever has paid and has no tickets posts his hash. Made-up hashes may come first; the next look is 2 s later at most. */
export async function complain(world: World): Promise<void> {
  for (const transactionHash of world.overlooked) await claimPayment(world.db, { transactionHash })
  await verifyDue(world)
  await world.pass(3)
  await verifyDue(world)
}

export async function verifyDue(world: World, dieAt: number | null = null): Promise<void> {
  const hashes = await dueClaims(world.db, 1_000)
  if (hashes.length > 0) await runJob(world, { name: 'verify-payment', payload: { hashes } }, dieAt)
}

/** What the sweeper finds by the rows, and the watch of refunds, which has a schedule of its own. */
async function dueJobs(world: World): Promise<Job[]> {
  const found: Job[] = []
  const enqueue: JobQueue['enqueue'] = async (name, payload) => {
    found.push({ name, payload } as Job)
    return true
  }
  // A full minute: what is looked at once a minute is looked at.
  await sweep({ db: world.db, jobs: { enqueue }, now: () => 60_000 })
  return [...found, { name: 'watch-refunds', payload: {} }]
}

/** Each job as often as `runs` says; those that it does not mention once. */
export async function sweepOnce(
  world: World,
  { runs, dieAt }: { runs: readonly number[]; dieAt: number | null },
): Promise<void> {
  for (const [index, job] of (await dueJobs(world)).entries())
    for (let times = runs[index] ?? 1; times > 0; times--) await runJob(world, job, dieAt)
}
