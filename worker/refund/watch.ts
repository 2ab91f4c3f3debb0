import { stopwatch } from '../../core/server/time.ts'
import type { Outgoing } from '../../db/refund/outgoing.ts'
import {
  applyWatch,
  getWatchCursor,
  getWatchTerms,
  isAllRead,
  rewindWatch,
  transferBlocks,
  type WatchCursor,
} from '../../db/refund/watch.ts'
import type { Header } from '../chain/index.ts'
import { isReplaced, lastAgreed } from '../chain/replaced.ts'
import type { Deps } from '../deps.ts'
import { firstBlockSince } from '../payment/first-block.ts'
import { readBacklogs } from './backlog.ts'
import { finalFacts } from './final-facts.ts'
import { nothingSent, toOutgoing } from './outgoing.ts'
import { giveUpOverdue } from './overdue.ts'
import { lookUpReported } from './seen.ts'

const blocksAtOnce = 200

/**
 * Reads the transfers that the operator wallets have sent in final blocks since the first sale, and settles or
 * frees rows accordingly. Safe to run twice and by many workers: the cursor moves in the transaction that
 * records the transfers.
 */
export async function watchRefunds(deps: Deps): Promise<void> {
  const terms = await getWatchTerms(deps.db)
  if (!terms) return
  const head = await deps.chain.finalized()
  await lookUpReported(deps)
  await readOn(deps, terms, head)
  await readBacklogs(deps, terms.since, head)
}

type WatchTerms = NonNullable<Awaited<ReturnType<typeof getWatchTerms>>>

async function readOn({ db, chain, log }: Deps, terms: WatchTerms, head: Header): Promise<void> {
  const { wallets, tokens } = terms
  const apply = async (before: WatchCursor | undefined, end: Header, found: Outgoing) => {
    const final = end.number === head.number ? await finalFacts({ db, chain }, wallets, head) : undefined
    const isApplied = await applyWatch(db, before, cursorAt(end), found, final, terms)
    if (isApplied && final) await giveUpOverdue({ db, chain, log }, terms, head, final)
    return isApplied
  }
  for (;;) {
    const durationMs = stopwatch()
    const before = await getWatchCursor(db)
    if (before && (await isReplaced(chain, before, head))) {
      const to = await lastAgreed(chain, before.height + 1n, (below) =>
        transferBlocks(db, below, blocksAtOnce),
      )
      const gone = await rewindWatch(db, before, to)
      log.fatal(
        { transfers: gone, fromBlock: to ? Number(to.height) : null },
        'refund transfers taken back to be read again',
      )
      continue
    }
    const from = before
      ? before.height + 1n
      : await firstBlockSince(chain, terms.since.getTime() / 1000, head)
    if (wallets.length === 0 || from > head.number) {
      if (!before || before.height <= head.number) await apply(before, head, nothingSent)
      return
    }
    const watch = { tokens, wallets, outgoing: true }
    const reading = await chain.transfers(watch, { from, to: head.number, head: head.number })
    const { end, transfers } = reading
    // Another wallet or token: the next call looks for its transfers too.
    if (!(await apply(before, end, toOutgoing(reading))) && !(await isAllRead(db, terms))) return
    if (transfers.length > 0)
      log.info(
        { toBlock: Number(end.number), transfers: transfers.length, durationMs: durationMs() },
        'refund transfers read',
      )
    if (end.number === head.number) return
  }
}

const cursorAt = ({ number, hash }: Header): WatchCursor => ({ height: number, hash })
