import { desc, gt, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import type { Flow } from '../../core/flows/flow.ts'
import { type Fold, type FoldTerms, openFold, paidBackBy, type Sums } from '../../core/flows/fold.ts'
import type { Event } from '../event/events.ts'
import type { Db } from '../index.ts'
import { promisedTokenPrizes } from '../prize/unpaid.ts'
import { ownWallets } from '../refund/own-wallets.ts'
import { draws, events, flowBreaks, payments, walletOpenings } from '../schema/index.ts'
import type { HeldWallet } from './openings.ts'
import { flowPages, flowsOfPayers } from './stream.ts'

/** A block's time may be so much ahead of the database's, which noted since when a key is lost. */
const aheadSeconds = 60

type Known = { key: string; fold: Fold; height: bigint; lastPayment: number }
/** The last fold of this process: what follows is added to it. */
const known = new WeakMap<object, Known>()

type Asked = { event: Event; wallets: readonly HeldWallet[]; upTo: bigint; dust: bigint }

/**
 * What is held and required at the end of block `upTo`, which scan and watch have passed. Only what came since the last time
 * is read, unless older flows, terms or openings have changed since.
 */
export async function foldUpTo(db: Db, asked: Asked): Promise<Sums> {
  let last = known.get(db)
  // It is spoilt if reading fails half-way.
  known.delete(db)
  const [sums, next] = await db.transaction(
    async (tx) => {
      const terms = await termsOf(tx, asked)
      const key = await keyOf(tx, asked, terms)
      const { token } = asked.event
      // Given up before another one grows beside it.
      if (!(await isContinued(tx, last, key, asked))) last = undefined
      const fold = last?.fold ?? openFold(terms)
      for await (const page of flowPages(tx, { token, after: last?.height ?? -1n, upTo: asked.upTo }))
        await takePage(tx, fold, token, page)
      const next: Known = { key, fold, height: asked.upTo, lastPayment: await lastPaymentOf(tx) }
      return [fold.sums(asked.upTo), next] as const
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
  known.set(db, next)
  return sums
}

/** Of those alone to whom something was sent in these blocks it is looked up what was open before: of a million others the sum is enough. */
async function takePage(tx: Db, fold: Fold, token: Address, page: readonly Flow[]): Promise<void> {
  const payers = new Set(page.flatMap((flow) => paidBackBy(flow) ?? []))
  const [first] = page
  const past = first ? await flowsOfPayers(tx, { token, payers, before: first.blockNumber }) : []
  fold.recall(payers, past)
  for (const flow of page) fold.take(flow)
}

async function termsOf(tx: Db, { event, wallets, dust }: Asked): Promise<FoldTerms> {
  const drawn = await tx.select({ eventNumber: draws.eventNumber, blocks: draws.blocks }).from(draws)
  const refunding = await tx
    .select({ number: events.number })
    .from(events)
    .where(sql`${events.refundModeAt} is not null`)
  return {
    ...{ eventNumber: event.number, saleStart: event.saleStart.getTime() / 1000, dust },
    openings: wallets.flatMap(({ address: wallet, isProven: counts, lostSince, opening }) =>
      opening?.units == null
        ? []
        : {
            wallet,
            counts,
            blockNumber: opening.blockNumber,
            blockHash: opening.blockHash,
            units: opening.units,
            ...(lostSince && { owesUntil: lostSince.getTime() / 1000 + aheadSeconds }),
          },
    ),
    draws: drawn.flatMap(({ eventNumber, blocks }) => {
      const block = blocks.at(-1)
      return block ? { eventNumber, blockNumber: BigInt(block.number) } : []
    }),
    refunding: new Set(refunding.map(({ number }) => number)),
    prizes: await promisedTokenPrizes(tx, event.number),
  }
}

/** Whatever changes it changes sums that were made. */
async function keyOf(tx: Db, { event }: Asked, terms: FoldTerms): Promise<string> {
  const [breaks] = await tx
    .select({ count: sql<string>`count(*)`, last: sql<string>`max(${flowBreaks.id})` })
    .from(flowBreaks)
  const ids = await tx
    .select({ id: walletOpenings.id })
    .from(walletOpenings)
    .where(sql`${walletOpenings.closedAt} is null and ${walletOpenings.token} = ${event.token}`)
    .orderBy(walletOpenings.id)
  const own = [...(await ownWallets(tx))].sort()
  return JSON.stringify([event.token, breaks, ids, own, terms], (_, value) =>
    typeof value === 'bigint'
      ? `${value}`
      : value instanceof Map || value instanceof Set
        ? [...value]
        : value,
  )
}

/** Payments get their ids under the lock of the open event, so a later one has a higher id; it may lie in an older block. */
async function isContinued(
  tx: Db,
  before: Known | undefined,
  key: string,
  { upTo }: Asked,
): Promise<boolean> {
  if (before?.key !== key || before.height > upTo) return false
  const late = await tx
    .select({ id: payments.id })
    .from(payments)
    .where(
      sql`${gt(payments.id, before.lastPayment)} and ${payments.blockNumber} <= ${before.height.toString()}::bigint`,
    )
    .limit(1)
  return late.length === 0
}

async function lastPaymentOf(tx: Db): Promise<number> {
  const [row] = await tx.select({ id: payments.id }).from(payments).orderBy(desc(payments.id)).limit(1)
  return row?.id ?? 0
}
