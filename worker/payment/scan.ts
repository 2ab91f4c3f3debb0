import { RaffleError } from '../../core/errors.ts'
import type { JobQueue } from '../../core/server/queue.ts'
import { realClock, stopwatch } from '../../core/server/time.ts'
import { type Event, getOpenEvent, getSaleWallets } from '../../db/event/events.ts'
import { beginSale, type Cursor, getScanCursor, noteNewestBlock, resumeSales } from '../../db/event/sale.ts'
import type { Db } from '../../db/index.ts'
import { firstSaleStart, foldRange, type Pace, scanPace } from '../../db/payment/fold.ts'
import { noteNodes } from '../../db/report/health.ts'
import { isReplaced } from '../chain/finality.ts'
import type { Header } from '../chain/headers.ts'
import type { Chain } from '../chain/index.ts'
import type { Deps } from '../deps.ts'
import { firstBlockSince } from './first-block.ts'
import { readSteps, type Step } from './read.ts'
import { cursorAt, rewindAfterReorg } from './rewind.ts'

/** Folds every final block, in chain order, and alone gives out ticket numbers. Safe to run twice and by
 * many: the cursor moves with the payments. True where money may have left a wallet. */
export async function scan(deps: Deps): Promise<boolean> {
  const event = await getOpenEvent(deps.db)
  return !!event && tellingBuyers(deps, (goesOn) => readBlocks(deps, event, goesOn))
}

async function readBlocks(deps: Deps, opened: Event, goesOn: () => Promise<void>): Promise<boolean> {
  const { db, chain } = deps
  let event: Event | undefined = opened
  let moves = false
  const head = await chain.finalized()
  await noteNewest(deps, event, head)
  // A step that was not taken may have been read for terms that the event has no more.
  for (; event; event = await getOpenEvent(db)) {
    const before = await getScanCursor(db)
    const from = before ? before.height + 1n : await firstBlock(deps, event, head)
    if (before && (await isGone(chain, before, head))) {
      await rewindAfterReorg(deps, before)
      return true
    }
    if (from > head.number) {
      // All that a rewind had taken back was read again, by two.
      if (event.haltedAt) await resumeSales(db)
      return moves
    }
    moves = (await foldSteps(deps, { event, from, head, goesOn }, before)) || moves
  }
  return moves
}

/** What is paid between the opening and a sale start in the chain's future is read too: it is early, and given back. */
const firstBlock = async ({ db, chain, clock }: Deps, event: Event, head: Header): Promise<bigint> => {
  const start = (await firstSaleStart(db, event.number)) ?? event.saleStart
  const time = start.getTime() / 1000
  return head.timestamp < time ? head.number : firstBlockSince(chain, time, head, 0n, clock)
}

const newestEveryMs = 15_000
const askedAt = new WeakMap<object, number>()

/** For the dates that an administrator may choose, where seconds do not matter and each question does; before
 * the sale has begun they do, as it begins when the chain has come to its start. */
async function noteNewest(
  { db, chain, clock: { now } = realClock }: Deps,
  { openedAt }: Event,
  head: Header,
): Promise<void> {
  const agoMs = now() - (askedAt.get(chain) ?? Number.NEGATIVE_INFINITY)
  if (openedAt && agoMs < newestEveryMs) return
  const newest = await chain.latest()
  // Without a cursor there is no place for it yet.
  if (await getScanCursor(db)) askedAt.set(chain, now())
  await noteNewestBlock(db, newest)
  if (!openedAt) await beginSale(db, Math.max(newest.timestamp, head.timestamp))
}

/** Beyond this a step may be read without its headers, and the cursor's block may be kept no more. */
const chainedBlocks = 100n

/** True if the cursor's block was replaced; `follows` tells it near the head, without a question. */
async function isGone(chain: Chain, before: Cursor, head: Header): Promise<boolean> {
  const blocks = head.number - before.height
  if (blocks === 0n) return head.hash !== before.hash
  return (blocks < 0n || blocks > chainedBlocks) && isReplaced(chain, before, head)
}

/** False if the cursor's block was replaced: the step does not begin with its child. */
async function follows(chain: Chain, { parent }: Step, before: Cursor, head: Header): Promise<boolean> {
  if (parent === undefined || parent === before.hash) return true
  if (await isReplaced(chain, before, head)) return false
  throw new RaffleError('RPC_DISAGREE', { data: { height: `${before.height}` } })
}

/** True where money may have left a wallet. Ends early when another worker was first, or when another token or wallet is to be read from here on. */
async function foldSteps(
  deps: Deps,
  { event, from, head, goesOn }: { event: Event; from: bigint; head: Header; goesOn: () => Promise<void> },
  start: Cursor | undefined,
): Promise<boolean> {
  const { db, chain, log } = deps
  const wallets = await getSaleWallets(db)
  let before = start
  let moves = false
  let durationMs = stopwatch()
  const read = { token: event.token, wallets }
  for await (const step of readSteps(chain, { ...read, from, head })) {
    const { end, found } = step
    if (before && step.from !== before.height + 1n)
      throw new Error('A step does not begin behind the one before.')
    if (before && !(await follows(chain, step, before, head))) {
      await rewindAfterReorg(deps, before)
      return true
    }
    const tickets = await foldRange(db, before, end, found, read)
    if (tickets === undefined) return moves
    moves ||= step.movesElsewhere === true
    await goesOn()
    if (found.length > 0)
      log.info(
        { toBlock: Number(end.number), payments: found.length, tickets, durationMs: durationMs() },
        'blocks scanned',
      )
    durationMs = stopwatch()
    before = cursorAt(end)
  }
  return moves
}

/** Each scan costs questions to the endpoints: it is as quick as anybody needs it. */
export const scanEveryMs: Record<Pace, number> = { busy: 400, idle: 1_250, asleep: 10_000 }
/** A scan that fails rests, twice as long each time. Short: a ticket must be credited within 5 s after an endpoint has recovered. */
const firstRestMs = 500
const longestRestMs = 1_500

type Parts = {
  db: Db
  jobs: Pick<JobQueue, 'enqueue'>
  run: () => Promise<void>
  now?: () => number
  /** Milliseconds since 1970, by which workers agree on ids. */
  date?: () => number
}

/** When the next blocks are worth reading. */
export function paceScans({ db, jobs, run, now = realClock.now, date = Date.now }: Parts) {
  let lastSlot: string | undefined
  let restUntil = Number.NEGATIVE_INFINITY
  let restMs = firstRestMs
  return {
    /** What a scan comes to; after a failure the next ones are put off. */
    paced: async <T>(scan: () => Promise<T>): Promise<T> => {
      try {
        const found = await scan()
        restMs = firstRestMs
        restUntil = Number.NEGATIVE_INFINITY
        return found
      } catch (error) {
        restUntil = now() + restMs
        restMs = Math.min(longestRestMs, restMs * 2)
        throw error
      }
    },
    /** To be called every `scanEveryMs.busy`. An id a time slot, so many workers add one job, and a lost one
     * blocks none. Without the queue the scan runs directly. */
    atTick: async (): Promise<void> => {
      if (now() < restUntil) return
      const everyMs = scanEveryMs[await scanPace(db)]
      const slot = `scan-${everyMs}-${Math.floor(date() / everyMs)}`
      if (slot === lastSlot) return
      lastSlot = slot
      if (!(await jobs.enqueue('scan', {}, { jobId: slot }))) await run()
    },
  }
}

/** Two nodes of which one stands still agree on an old block. Without a clock nobody can tell how old it is. */
const standingSeconds = 60

/** What a scan comes to. That its nodes cannot be believed, or stand still, is noted for the buyers, until
 * `read` tells by `goesOn` of a step that two tell alike. */
async function tellingBuyers<T>(
  { db, chain }: Pick<Deps, 'db' | 'chain'>,
  read: (goesOn: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const goesOn = async () => noteNodes(db, !(await standsStill(chain)))
  try {
    const found = await read(goesOn)
    await goesOn()
    return found
  } catch (error) {
    if (isNodesMissing(error)) await noteNodes(db, false)
    throw error
  }
}

/** The newest block is asked for only now and then, but until a standing chain moves again every time. */
async function standsStill(chain: Chain): Promise<boolean> {
  if (!isOld(chain)) return false
  await chain.latest()
  return isOld(chain)
}

const isOld = (chain: Chain): boolean => (chain.health().skewSeconds ?? 0) <= -standingSeconds

/** Too few nodes answer, or no two say the same: what is paid cannot be confirmed. */
export const isNodesMissing = (error: unknown): boolean =>
  error instanceof RaffleError && (error.code === 'RPC_UNAVAILABLE' || error.code === 'RPC_DISAGREE')
