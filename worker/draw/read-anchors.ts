import { RaffleError } from '../../core/errors.ts'
import { realClock } from '../../core/server/time.ts'
import { anchoringWallets, foreignAnchors, noteReadAgain } from '../../db/draw/anchors.ts'
import { getBook } from '../../db/event/book.ts'
import { type Event, getOpenEvent } from '../../db/event/events.ts'
import type { AnchorWatch, TimedAnchor } from '../chain/anchors.ts'
import type { Chain, Header } from '../chain/index.ts'
import type { Range } from '../chain/range.ts'
import type { Deps } from '../deps.ts'
import { firstBlockSince } from '../payment/first-block.ts'

/** How long after the draw date, in block time, a draw may wait for endpoints to tell its anchors. */
const graceSeconds = 60

type Blocks = { from: bigint; after: Date | undefined; end: Header; head: Header }

/**
 * The anchors of an event of our book in final blocks `from` to `end`, in chain order: logs of the register by the operator wallet or
 * the anchor wallet, so nobody else makes work. Asks nothing where no block can lie between the sale end and the draw
 * date; `after` is the time of the block before the first. The draw needs a scan that has passed its date, and never
 * waits long for an anchor: endpoints that tell payments but no anchors are passed over then (`unread`), with an alarm.
 */
export async function readAnchors(
  { db, chain, log }: Pick<Deps, 'db' | 'chain' | 'log'>,
  event: Pick<Event, 'number' | 'operatorWallet' | 'anchorWallet' | 'saleEnd' | 'drawDate'>,
  { from, after, end, head }: Blocks,
): Promise<TimedAnchor[] | 'unread'> {
  const wallets = anchoringWallets(event)
  const { saleEnd, drawDate } = event
  if (wallets.length === 0 || !saleEnd || !drawDate) return []
  if (end.timestamp * 1000 < saleEnd.getTime() || (after && after >= drawDate)) return []
  const book = await getBook(db)
  if (!book) return []
  const isInTime = isInWindow({ saleEnd, drawDate })
  try {
    const watch = { wallets, book, eventNumber: event.number }
    return (await readAll(chain, watch, { from, to: end.number, head: head.number })).filter(isInTime)
  } catch (err) {
    const isLate = head.timestamp >= drawDate.getTime() / 1000 + graceSeconds
    if (!isLate || !(err instanceof RaffleError)) throw err
    log.fatal({ err, fromBlock: Number(from), toBlock: Number(end.number) }, 'anchors could not be read')
    return 'unread'
  }
}

async function readAll(
  chain: Pick<Chain, 'anchors'>,
  watch: AnchorWatch,
  range: Range,
): Promise<TimedAnchor[]> {
  const found: TimedAnchor[] = []
  for (let at = range.from; at <= range.to; ) {
    const step = await chain.anchors(watch, { ...range, from: at })
    found.push(...step.anchors)
    at = step.end.number + 1n
  }
  return found
}

/** An endpoint that did not tell them is asked again, but not by every look at the draw. */
const askAgainMs = 10_000
const askedAt = new WeakMap<object, number>()

/**
 * Reads the anchors that were passed over, now that the draw is due, step by step, each of which is noted. True where any
 * was. The draw goes on without those that stay untold, unless another list is on record as anchored. `head` is final and
 * not before D.
 */
export async function readUnreadAnchors(
  { db, chain, log, clock: { now } = realClock }: Pick<Deps, 'db' | 'chain' | 'log' | 'clock'>,
  event: Event,
  head: Header,
): Promise<boolean> {
  const { number, anchorsUnreadFrom, drawDate, saleEnd } = event
  if (anchorsUnreadFrom === null || !drawDate || !saleEnd) return false
  const book = await getBook(db)
  if (!book) return false
  if (now() - (askedAt.get(chain) ?? Number.NEGATIVE_INFINITY) < askAgainMs) return false
  askedAt.set(chain, now())
  let isNew = false
  try {
    const end = (await firstBlockSince(chain, drawDate.getTime() / 1000, head, anchorsUnreadFrom)) - 1n
    const watch = { wallets: anchoringWallets(event), book, eventNumber: number }
    for (let from = anchorsUnreadFrom; from <= end; ) {
      const step = await chain.anchors(watch, { from, to: end, head: head.number })
      const to = step.end.number
      const found = step.anchors.filter(isInWindow({ saleEnd, drawDate }))
      if (!(await noteReadAgain(db, number, { from, to, isLast: to === end, found }))) return isNew
      isNew = true
      await tellAnchors({ db, log }, found)
      from = to + 1n
    }
  } catch (err) {
    if (!(err instanceof RaffleError)) throw err
    log.warn({ err, fromBlock: Number(anchorsUnreadFrom) }, 'anchors are still untold')
  }
  return isNew
}

const isInWindow =
  ({ saleEnd, drawDate }: { saleEnd: Date; drawDate: Date }) =>
  ({ blockTime }: TimedAnchor): boolean =>
    saleEnd.getTime() <= blockTime * 1000 && blockTime * 1000 < drawDate.getTime()

/** Says in the log what was anchored, and alarms for what the anchor key has signed elsewhere. */
export async function tellAnchors({ db, log }: Pick<Deps, 'db' | 'log'>, found: readonly TimedAnchor[]) {
  const event = await getOpenEvent(db)
  const foreign = event ? await foreignAnchors(db, event) : []
  for (const { eventNumber, transactionHash, wallet, commitment } of found) {
    const facts = { eventNumber, transactionHash, wallet, commitment }
    if (foreign.some((one) => one.transactionHash === transactionHash))
      log.fatal(facts, 'the anchor key has anchored something that no worker made')
    else log.info(facts, 'ledger anchored')
  }
}
