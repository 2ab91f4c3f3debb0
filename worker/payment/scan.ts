import type { Address, Hash } from 'viem'
import { RaffleError } from '../../core/errors.ts'
import { type FoundPayment, groupPayments } from '../../core/payment/payment.ts'
import { realClock, stopwatch } from '../../core/server/time.ts'
import { type Event, getOpenEvent, getSaleWallets } from '../../db/event/events.ts'
import {
  beginSale,
  getScanCursor,
  noteNewestBlock,
  resumeSales,
  type ScanCursor,
} from '../../db/event/sale.ts'
import { firstSaleStart, foldRange } from '../../db/payment/fold.ts'
import { isReplaced } from '../chain/finality.ts'
import type { Header } from '../chain/headers.ts'
import type { Chain } from '../chain/index.ts'
import type { Deps } from '../deps.ts'
import { firstBlockSince, rewindAfterReorg } from './mend.ts'
import { tellingBuyers } from './tell-buyers.ts'

/**
 * Folds every final block that has not been folded yet into payments, in chain order, and alone gives out
 * ticket numbers. Safe to run twice and by many workers at once: the cursor moves in the transaction that
 * records the payments, and only from where it was read. True where money may have left a wallet in these blocks.
 */
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

/**
 * The newest block is for the dates that an administrator may choose: seconds do not matter, each question does.
 * Before the sale has begun they do: it begins when the chain has come to its start, and what is
 * final has, even where one of two nodes stands still.
 */
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
async function isGone(chain: Chain, before: ScanCursor, head: Header): Promise<boolean> {
  const blocks = head.number - before.height
  if (blocks === 0n) return head.hash !== before.hash
  return (blocks < 0n || blocks > chainedBlocks) && isReplaced(chain, before, head)
}

/** False if the cursor's block was replaced: the step does not begin with its child. */
async function follows(chain: Chain, { parent }: Step, before: ScanCursor, head: Header): Promise<boolean> {
  if (parent === undefined || parent === before.hash) return true
  if (await isReplaced(chain, before, head)) return false
  throw new RaffleError('RPC_DISAGREE', { data: { height: `${before.height}` } })
}

/** True where money may have left a wallet. Ends early when another worker was first, or when another token or wallet is to be read from here on. */
async function foldSteps(
  deps: Deps,
  { event, from, head, goesOn }: { event: Event; from: bigint; head: Header; goesOn: () => Promise<void> },
  start: ScanCursor | undefined,
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
    before = { height: end.number, hash: end.hash, blockTime: new Date(end.timestamp * 1000) }
  }
  return moves
}

export type Step = {
  from: bigint
  end: Header
  parent?: Hash | undefined
  found: FoundPayment[]
  /** Money may have left a wallet in these blocks. */
  movesElsewhere?: boolean | undefined
}
type Range = { token: Address; wallets: readonly Address[]; from: bigint; head: Header }
type Reader = Pick<Chain, 'transfers'>

/** So many are read, or wait for the caller, while it works on one: what waits for an answer works on another meanwhile. */
const stepsAhead = 2

/**
 * All steps up to `head`, in their order. Those ahead are read while the caller works on one.
 * @internal
 */
export async function* readSteps(chain: Reader, range: Range): AsyncGenerator<Step, void> {
  const ahead: Promise<Step>[] = []
  let next: bigint | undefined = range.from
  let isOver = false
  let isAsking = false
  /** Where a step ends is told before it is read, or comes with it. */
  const ended = (at: bigint): void => {
    next = at < range.head.number ? at + 1n : undefined
    readAhead()
  }
  const readAhead = (): void => {
    // Told of an end while one is asked for: the loop below goes on with it.
    if (isAsking) return
    isAsking = true
    while (next !== undefined && !isOver && ahead.length < stepsAhead) {
      const from = next
      next = undefined
      const step = readPayments(chain, { ...range, from }, ended)
      step.catch(() => undefined) // thrown at its own turn, if the caller still reads
      ahead.push(step)
    }
    isAsking = false
  }
  try {
    readAhead()
    for (let step = await ahead[0]; step; step = await ahead[0]) {
      ahead.shift()
      if (ahead.length === 0 && next === undefined) ended(step.end.number)
      else readAhead()
      yield step
    }
  } finally {
    isOver = true
  }
}

/**
 * Payments to any of `wallets` in final blocks from `from` on, with their block times, in chain order, and
 * the last block read: one step, at most to `head`.
 * @internal
 */
export async function readPayments(
  chain: Reader,
  { token, wallets, from, head }: Range,
  onBegin?: (end: bigint) => void,
): Promise<Step> {
  if (wallets.length === 0) return { from, end: head, found: [] }
  const { end, parent, transfers, movesElsewhere } = await chain.transfers(
    { tokens: [token], wallets },
    { from, to: head.number, head: head.number, ...(onBegin && { onBegin }) },
  )
  const times = new Map(transfers.map((transfer) => [transfer.blockNumber, transfer.blockTime]))
  const found = groupPayments(transfers, new Set(wallets)).map((payment) => ({
    ...payment,
    blockTime: times.get(payment.blockNumber) as number,
  }))
  return { from, end, parent, found, movesElsewhere }
}
