import { stopwatch } from '../../core/server/time.ts'
import { getOpenEvent } from '../../db/event/events.ts'
import { getScanCursor, type ScanCursor } from '../../db/event/scan-cursor.ts'
import { paymentBlocks, takeBack } from '../../db/payment/refold.ts'
import { firstSaleStart } from '../../db/payment/sale-rules.ts'
import { historyMissing } from '../chain/history.ts'
import type { Header } from '../chain/index.ts'
import { lastAgreed } from '../chain/replaced.ts'
import type { Deps } from '../deps.ts'
import { firstBlockSince } from './first-block.ts'

const blocksAtOnce = 200
/** Where the last payment is older, a reorg is not believed to be deeper than this: over an hour of blocks. */
const deepestReorg = 10_000n

type Why = Parameters<typeof takeBack>[3]

/**
 * The chain changed below what it had called final: goes back to the last block with a payment that is still
 * on chain, and refolds from there. Safe to run twice: the second run finds the cursor moved.
 */
export async function refoldAfterReorg(deps: Deps, cursor: ScanCursor): Promise<void> {
  const to = await lastKept(deps, cursor)
  await refold(deps, cursor, to, {
    text: `block ${cursor.height} was replaced below finality`,
    isHole: false,
  })
}

/** Newest block from which on the chain has to be read again; undefined for all of it. */
async function lastKept(deps: Deps, cursor: ScanCursor): Promise<ScanCursor | undefined> {
  const { db, chain } = deps
  const floor = cursor.height - deepestReorg
  const [newest] = await paymentBlocks(db, cursor.height, 1)
  // No payment was replaced: neither is its block asked for, which the nodes may have forgotten, nor the time since.
  const header = newest && newest.height < floor ? await chain.header(floor) : undefined
  if (header) return cursorAt(header)
  const kept = await lastAgreed(chain, cursor.height, (below) => paymentBlocks(db, below, blocksAtOnce))
  return kept ?? beforeSales(deps, cursor, floor)
}

/** The reorg may have begun before the open event did, and late money of earlier ones is then to be found again. */
async function beforeSales(
  { db, chain }: Deps,
  { height, blockTime }: ScanCursor,
  floor: bigint,
): Promise<ScanCursor | undefined> {
  const start = await firstSaleStart(db)
  if (!start) return undefined
  const seconds = start.getTime() / 1000
  const deepest = floor > 0n ? await chain.header(floor) : undefined
  if (deepest && deepest.timestamp >= seconds) return cursorAt(deepest)
  const first = await firstBlockSince(chain, seconds, {
    number: height,
    timestamp: blockTime.getTime() / 1000,
  })
  const before = first > 0n ? await chain.header(first - 1n) : undefined
  return before && cursorAt(before)
}

/**
 * A final payment of the open event was found at or below the cursor that the scan had not seen: refolds from
 * before its block. Nothing happens if the payment is beyond the cursor, which the scan will still reach, or if
 * its block lies before the sale.
 */
export async function refoldFromMissedPayment(
  deps: Deps,
  height: bigint,
  text = `a payment of block ${height} had been missed`,
): Promise<void> {
  const { db, chain, log } = deps
  const cursor = await getScanCursor(db)
  if (!cursor || cursor.height < height) return
  const event = await getOpenEvent(db)
  const own = await chain.header(height)
  if (!event || !own || own.timestamp < event.saleStart.getTime() / 1000) {
    log.fatal({ block: Number(height) }, 'block of a missed payment lies before the sale')
    return
  }
  const before = height > 0n ? await chain.header(height - 1n) : undefined
  // Without it the whole ledger would be taken back, which the chain may not be able to tell again.
  if (height > 0n && !before) throw historyMissing(height - 1n)
  await refold(deps, cursor, before && cursorAt(before), { text, isHole: true })
}

const cursorAt = ({ number, hash, timestamp }: Header): ScanCursor => ({
  height: number,
  hash,
  blockTime: new Date(timestamp * 1000),
})

async function refold(
  { db, log }: Deps,
  cursor: ScanCursor,
  to: ScanCursor | undefined,
  why: Why,
): Promise<void> {
  const durationMs = stopwatch()
  const taken = await takeBack(db, cursor, to, why)
  const facts = { reason: why.text, fromBlock: to ? Number(to.height) : null }
  if (taken)
    log.fatal({ ...facts, ...taken, durationMs: durationMs() }, 'ledger taken back to be folded again')
  // The event was drawn meanwhile, or another worker was first.
  else log.fatal(facts, 'ledger not taken back')
}
