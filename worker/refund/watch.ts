import type { Address, Hash } from 'viem'
import { stopwatch } from '../../core/server/time.ts'
import type { FinalFacts } from '../../db/refund/accounts.ts'
import {
  applyWatch,
  getWatchCursor,
  getWatchTerms,
  type OutgoingTransfer,
  reportedHashes,
  rewindWatch,
  transferBlocks,
  type WatchCursor,
} from '../../db/refund/watch.ts'
import type { Header } from '../chain/index.ts'
import type { TimedTransfer } from '../chain/range.ts'
import { isReplaced, lastAgreed } from '../chain/replaced.ts'
import type { Deps } from '../deps.ts'
import { firstBlockSince } from '../payment/first-block.ts'

const blocksAtOnce = 200

/**
 * Reads the transfers that the operator wallets have sent in final blocks since the first sale, and settles or
 * frees rows accordingly. Safe to run twice and by many workers: the cursor moves in the transaction that
 * records the transfers.
 */
export async function watchRefunds({ db, chain, log }: Deps): Promise<void> {
  const terms = await getWatchTerms(db)
  if (!terms) return
  const head = await chain.finalized()
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
    if (terms.wallets.length === 0 || from > head.number) {
      if (!before || before.height === head.number)
        await applyWatch(
          db,
          before,
          before ?? cursorAt(head),
          [],
          await finalFacts({ db, chain }, terms.wallets, head),
        )
      return
    }
    const watch = { token: terms.token, wallets: terms.wallets, outgoing: true }
    const { end, transfers } = await chain.transfers(watch, { from, to: head.number, head: head.number })
    const isLast = end.number === head.number
    const final = isLast ? await finalFacts({ db, chain }, terms.wallets, head) : undefined
    await applyWatch(db, before, cursorAt(end), toOutgoing(transfers), final)
    if (transfers.length > 0)
      log.info(
        { toBlock: Number(end.number), transfers: transfers.length, durationMs: durationMs() },
        'refund transfers read',
      )
    if (isLast) return
  }
}

const cursorAt = ({ number, hash }: Header): WatchCursor => ({ height: number, hash })

/** Those between two wallets of ours too: a wallet may have paid before it was ours, and the books must add up. */
function toOutgoing(transfers: readonly TimedTransfer[]): OutgoingTransfer[] {
  const sorted = [...transfers].sort(
    (a, b) => Number(a.blockNumber - b.blockNumber) || a.logIndex - b.logIndex,
  )
  const seen = new Map<Hash, number>()
  return sorted.map(({ transactionHash, from, to, value, blockNumber, blockHash, blockTime }) => {
    const logPosition = seen.get(transactionHash) ?? 0
    seen.set(transactionHash, logPosition + 1)
    return {
      transactionHash,
      logPosition,
      wallet: from,
      recipient: to,
      units: value,
      blockNumber,
      blockHash,
      blockTime,
    }
  })
}

/** The wallets' nonces at `head`, and the reported transactions that two have in a final block. */
async function finalFacts(
  { db, chain }: Pick<Deps, 'db' | 'chain'>,
  wallets: readonly Address[],
  head: Header,
): Promise<Omit<FinalFacts, 'now'>> {
  const counts = await chain.nonces(wallets, head.number)
  const nonces = Object.fromEntries(wallets.map((wallet, index) => [wallet, counts[index] as number]))
  const hashes: Hash[] = []
  for (const hash of await reportedHashes(db)) {
    const receipt = await chain.agreedReceipt(hash)
    if (receipt && receipt.blockNumber <= head.number) hashes.push(hash)
  }
  return { nonces, hashes }
}
