import { RaffleError } from '../../core/errors.ts'
import type { Payment } from '../../core/payment/payment.ts'
import { getOpenEvent, getSaleWallets } from '../../db/event/events.ts'
import { type Cursor, getScanCursor } from '../../db/event/sale.ts'
import { firstSaleStart, isAmong } from '../../db/payment/fold.ts'
import { type Line, lostLines, mend, paymentBlocks, rewind, tellLine } from '../../db/payment/rewind.ts'
import { historyMissing, lastAgreed } from '../chain/finality.ts'
import type { Header } from '../chain/headers.ts'
import type { Chain } from '../chain/index.ts'
import type { Deps } from '../deps.ts'
import { firstBlockSince } from './first-block.ts'
import { paymentsIn } from './read.ts'

const blocksAtOnce = 200
/** A reorg is not believed to be deeper than this: over an hour of blocks. */
const deepestReorg = 10_000n

/** Goes back to the last block with a payment that is still on chain, or so far that nothing older is
 * believed to change. Safe to run twice: the second run finds the cursor moved. */
export async function rewindAfterReorg(deps: Deps, cursor: Cursor): Promise<void> {
  const { db, chain, log } = deps
  const above = cursor.height - deepestReorg
  const read = (below: bigint) => paymentBlocks(db, { above, below }, blocksAtOnce)
  const to = (await lastAgreed(chain, cursor.height, read)) ?? (await deepest(deps, cursor))
  const why = `block ${cursor.height} was replaced below finality`
  const taken = await rewind(db, cursor, to, why)
  if (taken !== undefined) log.fatal({ why, payments: taken, fromBlock: Number(to?.height ?? 0) }, foldedAnew)
}

const foldedAnew = 'ledger taken back to be folded again'

/** Undefined for all blocks of the open event; late money of earlier ones is then to be found again. */
async function deepest({ db, chain }: Deps, cursor: Cursor): Promise<Cursor | undefined> {
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
 * Makes the record what a block that the scan has passed truly holds, as its receipts prove. True where it was another one.
 * `read`: what tells where lines may stand that this block does not hold. Throws as `settleLines` does, once the rest is written.
 * Safe to run twice.
 */
export async function mendBlock(
  deps: Deps,
  { block, text, read = [] }: { block: bigint; text: string; read?: readonly Payment[] },
): Promise<boolean> {
  const { db, chain, log } = deps
  const [event, cursor] = [await getOpenEvent(db), await getScanCursor(db)]
  if (!event || !cursor || cursor.height < block) return false
  const wallets = await getSaleWallets(db)
  const proven = await chain.proven({ tokens: [event.token], wallets }, block)
  const found = paymentsIn(proven, wallets)
  const before = block > 0n ? await chain.header(block - 1n) : undefined
  if (!before) throw historyMissing(block - 1n)
  const why = `${text} of block ${block} had been missed`
  const payments = found.map(({ transactionHash }) => transactionHash)
  const { isWrong, done, open } = await mend(db, { before: cursorAt(before), end: proven.end, found, why })
  for (const what of done) log.fatal({ why, block: Number(block), payments }, alarms[what])
  await settleLines(deps, open, read)
  return isWrong
}

/** So few that the next minute finds none of them still asked about. */
const mostAsked = 20

/** Asks again of lines that the chain had lost, some a minute: an answer is as old as its questions. Safe to run twice. */
export const askLostLines = async (deps: Deps): Promise<void> =>
  settleLines(deps, await lostLines(deps.db, mostAsked))

/**
 * Asks of each line of a frozen list whether the chain has lost it, and tells what is otherwise than when the line was read.
 * Throws, after all others, where that is not known of one. Safe to run twice.
 */
async function settleLines(deps: Deps, lines: readonly Line[], read: readonly Payment[] = []) {
  const { db, chain, log } = deps
  await each(lines, async (line) => {
    const what = (await isLost(chain, line, read)) ? 'lost' : 'found'
    const { transactionHash } = line
    if (await tellLine(db, line, what)) log.fatal({ transactionHash }, alarms[what])
  })
}

/** One after the other, and after all of them throws what failed first. */
export async function each<T>(all: readonly T[], run: (one: T) => Promise<unknown>): Promise<void> {
  const failures: unknown[] = []
  for (const one of all) await run(one).catch((err) => failures.push(err))
  if (failures.length > 0) throw failures[0]
}

/** Whether none of the blocks that hold this transaction, as `read` or any endpoint tells, is proven to hold this payment.
 * Throws RPC_UNAVAILABLE while it waits for a final block. */
async function isLost(chain: Chain, line: Line, read: readonly Payment[]): Promise<boolean> {
  const hash = line.transactionHash
  const watch = { tokens: [line.token], wallets: [line.wallet] }
  const told = await chain.toldReceipts(hash)
  const blocks = [...told.flatMap((receipt) => receipt ?? []), ...read.filter((one) => isAmong([one], line))]
  const numbers = new Set(blocks.map(({ blockNumber }) => blockNumber))
  const { number: final } = await chain.finalized()
  for (const number of numbers)
    if (number <= final && isAmong(paymentsIn(await chain.proven(watch, number), watch.wallets), line))
      return false
  const isDecided = [...numbers].every((number) => number <= final) && !told.includes(null)
  if (isDecided || !(await chain.isWaiting(hash))) return true
  throw new RaffleError('RPC_UNAVAILABLE', { reason: 'chain', data: { transactionHash: hash } })
}

const alarms = {
  lost: 'the chain has lost a payment of the frozen list',
  found: 'the chain has a payment of the frozen list that was lost',
  missed: 'payments were missed by the scan',
  gone: 'the chain has lost payments without a ticket',
  'folded anew': foldedAnew,
}

export const cursorAt = ({ number, hash, timestamp }: Header): Cursor => ({
  height: number,
  hash,
  blockTime: new Date(timestamp * 1000),
})
