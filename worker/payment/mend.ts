import { findFirstBlock } from '../../core/chain/first-block.ts'
import { RaffleError } from '../../core/errors.ts'
import { groupPayments } from '../../core/payment/payment.ts'
import { realClock } from '../../core/server/time.ts'
import { getOpenEvent, getSaleWallets } from '../../db/event/events.ts'
import { getScanCursor, type ScanCursor } from '../../db/event/sale.ts'
import { firstSaleStart } from '../../db/payment/fold.ts'
import { mend, paymentBlocks, rewind } from '../../db/payment/rewind.ts'
import { historyMissing, lastAgreed, pastLag } from '../chain/finality.ts'
import type { Header } from '../chain/headers.ts'
import type { Chain } from '../chain/index.ts'
import type { Deps } from '../deps.ts'

const blocksAtOnce = 200
/** A reorg is not believed to be deeper than this: over an hour of blocks. */
const deepestReorg = 10_000n

/**
 * The chain changed below what it had called final: goes back to the last block with a payment that is still on chain, or so
 * far that nothing older is believed to change. Safe to run twice: the second run finds the cursor moved.
 */
export async function rewindAfterReorg(deps: Deps, cursor: ScanCursor): Promise<void> {
  const { db, chain, log } = deps
  const above = cursor.height - deepestReorg
  const read = (below: bigint) => paymentBlocks(db, { above, below }, blocksAtOnce)
  const to = (await lastAgreed(chain, cursor.height, read)) ?? (await deepest(deps, cursor))
  const why = `block ${cursor.height} was replaced below finality`
  const taken = await rewind(db, cursor, to, why)
  if (taken !== undefined)
    log.fatal(
      { why, payments: taken, fromBlock: Number(to?.height ?? 0) },
      'ledger taken back to be folded again',
    )
}

/** Undefined for all blocks of the open event; late money of earlier ones is then to be found again. */
async function deepest({ db, chain }: Deps, cursor: ScanCursor): Promise<ScanCursor | undefined> {
  const start = await firstSaleStart(db, 1)
  const height = cursor.height - deepestReorg
  const floor = height > 0n ? await chain.header(height) : undefined
  if (floor && start && floor.timestamp >= start.getTime() / 1000) return cursorAt(floor)
  const head = { number: cursor.height, timestamp: cursor.blockTime.getTime() / 1000 }
  const first = start ? await firstBlockSince(chain, start.getTime() / 1000, head) : 0n
  const before = first > 0n ? await chain.header(first - 1n) : undefined
  return before && cursorAt(before)
}

/**
 * Puts on record what a block that the scan has passed truly holds, as its receipts prove. True where the record was wrong.
 * Safe to run twice.
 */
export async function mendBlock(deps: Deps, block: bigint, text: string): Promise<boolean> {
  const { db, chain, log } = deps
  const [event, cursor] = [await getOpenEvent(db), await getScanCursor(db)]
  if (!event || !cursor || cursor.height < block) return false
  const wallets = await getSaleWallets(db)
  const { end, transfers } = await chain.proven({ tokens: [event.token], wallets }, block)
  const found = groupPayments(transfers, new Set<string>(wallets))
  const before = block > 0n ? await chain.header(block - 1n) : undefined
  if (!before) throw historyMissing(block - 1n)
  const why = `${text} of block ${block} had been missed`
  const outcome = await mend(db, {
    ...{ before: cursorAt(before), end, why },
    found: found.map((payment) => ({ ...payment, blockTime: end.timestamp })),
  })
  if (!outcome) return false
  const facts = { why, block: Number(block), payments: found.map(({ transactionHash }) => transactionHash) }
  if (outcome === 'folded anew') log.fatal(facts, 'ledger taken back to be folded again')
  else if (outcome === 'lost') log.fatal(facts, 'the chain has lost a payment of the frozen list')
  else log.fatal(facts, 'payments were missed by the scan')
  return true
}

const cursorAt = ({ number, hash, timestamp }: Header): ScanCursor => ({
  height: number,
  hash,
  blockTime: new Date(timestamp * 1000),
})

/**
 * While history is missing the search is not repeated: now and then one question shows whether the missing block is
 * back. Payments wait for it, and a ticket must be credited within 5 s after the endpoint has recovered.
 */
const askAgainMs = 1_000
type Missing = { missing: number; at: number }
const missingOf = new WeakMap<object, Map<string, Missing>>()

/**
 * Height of the first block whose time is at least `time` (seconds), as findFirstBlock says; one above `head`
 * if there is none yet. `from` is a height that is known not to lie above the answer. Throws HISTORY_MISSING
 * if the endpoints, or all but one, no longer have the blocks that tell: nothing is assumed to be empty. A block so
 * new that an endpoint may just not have it yet is RPC_UNAVAILABLE, and is searched for again at the next call.
 */
export async function firstBlockSince(
  chain: Pick<Chain, 'header'>,
  time: number,
  head: Pick<Header, 'number' | 'timestamp'>,
  from = 0n,
  { now } = realClock,
): Promise<bigint> {
  const known = missingOf.get(chain) ?? new Map()
  missingOf.set(chain, known)
  const key = `${time} ${from}`
  const read = (number: number) => chain.header(BigInt(number)).catch(withoutHalfKnown)
  const before = known.get(key)
  if (before && (now() - before.at < askAgainMs || !(await isBack(read, before, now))))
    throw historyMissing(before.missing)
  /** Near the head, and older blocks are there. */
  const isLate = async (missing: number) => {
    const past = Number(head.number - pastLag) - 1
    return missing >= past && (await read(Math.max(Number(from), past))) !== undefined
  }
  const found = await findFirstBlock(read, {
    time,
    head: { number: Number(head.number), timestamp: head.timestamp },
    from: Number(from),
  })
  if ('height' in found) {
    known.delete(key)
    return BigInt(found.height)
  }
  if (await isLate(found.missing)) throw notYet(found.missing)
  known.set(key, { missing: found.missing, at: now() })
  throw historyMissing(found.missing)
}

/** Postpones the next question before this one is answered, so that parallel calls do not ask it too. */
async function isBack(
  read: (number: number) => Promise<unknown>,
  missing: Missing,
  now: () => number,
): Promise<boolean> {
  missing.at = now()
  return (await read(missing.missing)) !== undefined
}

const notYet = (height: number): RaffleError =>
  new RaffleError('RPC_UNAVAILABLE', { reason: 'chain', data: { missing: `${height}` } })

/** Known to one of two endpoints alone. */
function withoutHalfKnown(error: unknown): undefined {
  if (error instanceof RaffleError && error.data.isHalfKnown) return undefined
  throw error
}
