import type { Address } from 'viem'
import { RaffleError } from '../../core/errors.ts'
import type { OpeningGap } from '../../core/flows/flow.ts'
import { getOpenEvent } from '../../db/event/events.ts'
import { foldUpTo } from '../../db/flows/fold.ts'
import {
  type HeldWallet,
  heldWallets,
  type OpeningBlock,
  saveOpening,
  settleDoubt,
} from '../../db/flows/openings.ts'
import { type ReckonPlace, reckonPlace } from '../../db/flows/place.ts'
import { type Asked, saveReckoned } from '../../db/flows/reckoned.ts'
import type { Header } from '../chain/index.ts'
import type { Deps } from '../deps.ts'
import { readReceipts } from './receipts.ts'

type ReckonDeps = Pick<Deps, 'db' | 'chain' | 'log'> & {
  /** What one payer is owed below this is dust. */
  refundMinUnits: bigint
}

/**
 * Reckons what the wallets hold and owe at the newest final block that scan and refund watch have passed, and compares it with
 * the balances that two endpoints tell of this very block. A wallet that is new is opened there. Does nothing where nothing
 * is due; safe to run twice and by many workers, as a later block is never replaced by an earlier one.
 */
export async function reckon(deps: ReckonDeps): Promise<void> {
  const { db, log } = deps
  const place = await reckonPlace(db)
  const block = place && (await blockOf(deps, place))
  if (!block) return
  const { token } = place
  await settleDoubts(deps, token, block)
  await readReceipts(deps, await heldWallets(db, token, block), token, block.number)
  const before = await heldWallets(db, token, block)
  const asked = place.asks ? await askBalances(deps, before, place, block) : undefined
  if (asked) await openWallets(deps, before, place, block, asked)
  const event = await getOpenEvent(db)
  if (event?.number !== place.eventNumber) return
  const wallets = await heldWallets(db, token, block)
  // One that was opened at a later block, by another worker, is not known here.
  if (wallets.some(({ opening }) => opening && opening.blockNumber > block.number)) return
  const dust = deps.refundMinUnits
  const sums = await foldUpTo(db, { event, wallets, upTo: block.number, dust })
  const saved = await saveReckoned(db, block, place, { wallets, sums, asked, dust })
  for (const { wallet, difference } of saved?.broken ?? [])
    log.fatal(
      { wallet, difference: `${difference}`, block: Number(block.number) },
      'a balance is not what its transfers say: sales wait',
    )
}

/** Undefined where the chain has another block there by now: scan and watch will go back. */
async function blockOf(
  { chain }: ReckonDeps,
  { height, hash }: ReckonPlace,
): Promise<OpeningBlock | undefined> {
  const header: Header | undefined = await chain.header(height)
  return header?.hash === hash ? header : undefined
}

/** Looks up the blocks of openings that a reorg may have replaced. */
async function settleDoubts({ db, chain }: ReckonDeps, token: Address, block: OpeningBlock): Promise<void> {
  for (const { opening } of await heldWallets(db, token, block)) {
    if (!opening || opening.isOnChain || opening.blockNumber > block.number) continue
    const header = await chain.header(opening.blockNumber)
    await settleDoubt(db, opening, header?.hash === opening.blockHash)
  }
}

/** What two endpoints tell of all wallets that are open or can be opened. Silence and contradiction are no alarm. */
async function askBalances(
  { chain }: ReckonDeps,
  wallets: readonly HeldWallet[],
  { token }: ReckonPlace,
  block: OpeningBlock,
): Promise<Asked> {
  const asked = wallets.flatMap(({ address, isReady, opening }) =>
    opening?.units != null || isReady ? address : [],
  )
  try {
    const units = await chain.tokenBalances({ token, wallets: asked, blockHash: block.hash })
    return { told: new Map(asked.map((wallet, index) => [wallet, units[index] as bigint])) }
  } catch (error) {
    const gap = error instanceof RaffleError ? gapOf[error.code] : undefined
    if (!gap) throw error
    return { gap }
  }
}

const gapOf: Partial<Record<RaffleError['code'], OpeningGap>> = {
  HISTORY_MISSING: 'state_gone',
  RPC_DISAGREE: 'differ',
  RPC_UNAVAILABLE: 'silent',
}

async function openWallets(
  { db, log }: ReckonDeps,
  wallets: readonly HeldWallet[],
  { token }: ReckonPlace,
  block: OpeningBlock,
  asked: NonNullable<Asked>,
): Promise<void> {
  for (const wallet of wallets) {
    if (!wallet.isReady || wallet.opening?.units != null) continue
    const units = 'told' in asked ? asked.told.get(wallet.address) : undefined
    const told = units === undefined ? ({ why: 'gap' in asked ? asked.gap : 'silent' } as const) : { units }
    await saveOpening(db, wallet, token, block, told)
    log.info(
      { wallet: wallet.address, block: Number(block.number), ...('why' in told ? told : {}) },
      'what a wallet holds at first',
    )
  }
}
