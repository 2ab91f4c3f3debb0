import type { Address, Hash } from 'viem'
import { RaffleError } from '../../core/errors.ts'
import { findFirstBlock } from '../../core/first-block.ts'
import { stopwatch } from '../../core/server/time.ts'
import type { FinalFacts } from '../../db/refund/accounts.ts'
import { applyBacklog, getBacklogs } from '../../db/refund/backlog.ts'
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
import type { Chain, Header } from '../chain/index.ts'
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
export async function watchRefunds(deps: Deps): Promise<void> {
  const terms = await getWatchTerms(deps.db)
  if (!terms) return
  const head = await deps.chain.finalized()
  await readOn(deps, terms, head)
  await readBacklogs(deps, terms, head)
}

type WatchTerms = NonNullable<Awaited<ReturnType<typeof getWatchTerms>>>

async function readOn({ db, chain, log }: Deps, terms: WatchTerms, head: Header): Promise<void> {
  const { wallets } = terms
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
      if (!before || before.height <= head.number)
        await applyWatch(
          db,
          before,
          cursorAt(head),
          [],
          await finalFacts({ db, chain }, wallets, head),
          wallets,
        )
      return
    }
    const watch = { token: terms.token, wallets, outgoing: true }
    const { end, transfers } = await chain.transfers(watch, { from, to: head.number, head: head.number })
    const isLast = end.number === head.number
    const final = isLast ? await finalFacts({ db, chain }, wallets, head) : undefined
    // Another wallet: the next call looks for its transfers too.
    if (
      !(await applyWatch(db, before, cursorAt(end), toOutgoing(transfers), final, wallets)) &&
      (await getWatchTerms(db))?.wallets.length !== wallets.length
    )
      return
    if (transfers.length > 0)
      log.info(
        { toBlock: Number(end.number), transfers: transfers.length, durationMs: durationMs() },
        'refund transfers read',
      )
    if (isLast) return
  }
}

/**
 * What a wallet sent before the watch knew it, from the first sale start on, or from where the endpoints can
 * still show it: what they have forgotten never comes back, and nobody waits for it.
 */
async function readBacklogs({ db, chain, log }: Deps, { token, since }: WatchTerms, head: Header) {
  for (const { wallet, from: stored, to } of await getBacklogs(db)) {
    const watch = { token, wallets: [wallet], outgoing: true }
    const read = (from: bigint, end: bigint) =>
      ifKept(chain, from, () => chain.transfers(watch, { from, to: end, head: head.number }))
    const shown = async (from: bigint): Promise<bigint> => {
      const time = since.getTime() / 1000
      const end = async (number: number) => (await read(BigInt(number), BigInt(number)))?.end
      const found = await findFirstBlock(end, {
        ...{ time, from: Number(from) },
        head: { number: Number(head.number), timestamp: head.timestamp },
      })
      if ('height' in found) return BigInt(found.height)
      const fromBlock = found.missing + 1
      log.fatal({ wallet, fromBlock }, 'what a wallet sent before this block is forgotten by the endpoints')
      return BigInt(fromBlock)
    }
    let from = stored ?? (await shown(0n))
    while (from <= to) {
      const step = await read(from, to)
      from = step ? step.end.number + 1n : await shown(from)
      await applyBacklog(db, wallet, from, toOutgoing(step?.transfers ?? []))
    }
    await applyBacklog(db, wallet, from, [])
  }
}

/** Undefined if the endpoints have forgotten this block. */
async function ifKept<T>(chain: Chain, number: bigint, read: () => Promise<T>): Promise<T | undefined> {
  try {
    return (await chain.header(number)) && (await read())
  } catch (error) {
    if (error instanceof RaffleError && error.code === 'HISTORY_MISSING') return undefined
    throw error
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
