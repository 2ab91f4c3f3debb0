import { getOpenEvent, getWatchedWallets } from '../../db/queries/events.ts'
import { foldRange } from '../../db/queries/fold.ts'
import { getScanCursor, noteNewestBlock, type ScanCursor } from '../../db/queries/scan.ts'
import type { Chain, Header } from '../chain.ts'
import type { Deps } from '../deps.ts'
import { firstBlockSince } from './first-block.ts'
import { readPayments } from './read-range.ts'
import { refoldAfterReorg } from './refold.ts'

/**
 * Folds every final block that has not been folded yet into payments, in chain order, and alone gives out
 * ticket numbers. Safe to run twice and by many workers at once: the cursor moves in the transaction that
 * records the payments, and only from where it was read.
 */
export async function scan(deps: Deps): Promise<void> {
  const { db, chain, log } = deps
  const event = await getOpenEvent(db)
  if (!event) return
  const head = await chain.finalized()
  await noteNewestBlock(db, await chain.latest())
  for (;;) {
    const before = await getScanCursor(db)
    const from = before
      ? before.height + 1n
      : await firstBlockSince(chain, event.saleStart.getTime() / 1000, head)
    if (before && (await hasChanged(chain, before, head))) return refoldAfterReorg(deps, before)
    if (from > head.number) return
    const wallets = await getWatchedWallets(db)
    const { end, found, anchorHints } = await readPayments(chain, { token: event.token, wallets, from, head })
    const tickets = await foldRange(db, before, end, found, anchorHints)
    if (found.length > 0)
      log.info({ from: `${from}`, to: `${end.number}`, payments: found.length, tickets }, 'scanned')
  }
}

/** True when the chain shows another block where the cursor stands, below what it calls final. */
async function hasChanged(chain: Chain, cursor: ScanCursor, head: Header): Promise<boolean> {
  // An endpoint that is behind says nothing about blocks that it does not have yet.
  if (head.number < cursor.height) return false
  const header = await chain.header(cursor.height)
  return header !== undefined && header.hash !== cursor.hash
}
