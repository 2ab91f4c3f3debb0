import { stopwatch } from '../../core/server/time.ts'
import { getOpenEvent } from '../../db/event/events.ts'
import { getScanCursor, type ScanCursor } from '../../db/event/scan-cursor.ts'
import { paymentBlocks, takeBack } from '../../db/payment/refold.ts'
import { lastAgreed } from '../chain/replaced.ts'
import type { Deps } from '../deps.ts'

const blocksAtOnce = 200

type Why = Parameters<typeof takeBack>[3]

/**
 * The chain changed below what it had called final: goes back to the last block with a payment of the open
 * event that is still on chain, and refolds from there. Safe to run twice: the second run finds the cursor moved.
 */
export async function refoldAfterReorg(deps: Deps, cursor: ScanCursor): Promise<void> {
  const { db, chain } = deps
  const to = await lastAgreed(chain, cursor.height, (below) => paymentBlocks(db, below, blocksAtOnce))
  await refold(deps, cursor, to, {
    text: `block ${cursor.height} was replaced below finality`,
    isHole: false,
  })
}

/**
 * A final payment was found at or below the cursor that the scan had not seen: refolds from before its
 * block. Nothing happens if the payment is beyond the cursor, which the scan will still reach.
 */
export async function refoldFromMissedPayment(
  deps: Deps,
  height: bigint,
  text = `a payment of block ${height} had been missed`,
): Promise<void> {
  const cursor = await getScanCursor(deps.db)
  if (!cursor || cursor.height < height) return
  const event = await getOpenEvent(deps.db)
  const header = height > 0n ? await deps.chain.header(height - 1n) : undefined
  if (!event || (header && header.timestamp < event.saleStart.getTime() / 1000 - 1)) {
    deps.log.fatal({ block: Number(height) }, 'payment of an archived event missed')
    return
  }
  const to = header && {
    height: header.number,
    hash: header.hash,
    blockTime: new Date(header.timestamp * 1000),
  }
  await refold(deps, cursor, to, { text, isHole: true })
}

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
  // The event has been drawn, or another worker was first.
  else log.fatal(facts, 'ledger not taken back')
}
