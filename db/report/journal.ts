import { and, desc, eq, isNotNull, isNull, lte, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import { type Entry, openBalances } from '../../core/books/accounts.ts'
import { type Journal, type JournalTerms, openJournal } from '../../core/books/journal.ts'
import { asKnown, correctionOf } from '../../core/books/marks.ts'
import type { Flow } from '../../core/flows/flow.ts'
import { paidBackBy } from '../../core/flows/fold.ts'
import { flowPages, flowsOfPayers } from '../flows/stream.ts'
import type { Db } from '../index.ts'
import { promisedTokenPrizes } from '../prize/unpaid.ts'
import {
  draws,
  events,
  operatorTransfers,
  payments,
  solvency,
  walletOpenings,
  walletReceipts,
} from '../schema/index.ts'
import { markedTransfers } from './marks.ts'

/** UTC days, both of them in it. */
export type Period = { from: string; to: string }
/** Up to where the books are complete: a final block that scan and watch have passed. */
export type JournalEnd = { token: Address; block: bigint; at: number }

/** Undefined while nothing was reckoned. The token is that of the newest event. */
export async function journalEnd(db: Db): Promise<JournalEnd | undefined> {
  const [event] = await db.select({ token: events.token }).from(events).orderBy(desc(events.number)).limit(1)
  const rows = await db
    .select({ facts: solvency.facts })
    .from(solvency)
    .innerJoin(events, eq(events.number, solvency.eventNumber))
    .where(sql`${events.token} = ${event?.token ?? ''}`)
    .orderBy(desc(solvency.height))
    .limit(1)
  const block = rows[0]?.facts.block
  return event && block
    ? {
        token: event.token.toLowerCase() as Address,
        block: BigInt(block.number),
        at: block.timestamp,
      }
    : undefined
}

/** How many transfers moved money in these days, for the size of the file. */
export async function countFlows(db: Db, { from, to }: Period): Promise<number> {
  const [first, behind] = [secondsOf(from), secondsOf(to) + daySeconds]
  const inside = sql`block_time >= to_timestamp(${first}) and block_time < to_timestamp(${behind})`
  const [row] = await db.execute<{ rows: number }>(sql`
    select (select count(*) from ${payments} where ${inside})::int
      + (select count(*) from ${operatorTransfers} where ${inside})::int
      + (select count(*) from ${walletReceipts} where ${inside})::int as rows`)
  return row?.rows ?? 0
}

const secondsOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 1000
const daySeconds = 86_400

/**
 * The entries of a period, in order: first what its accounts began with, last its newest block, with nothing moved. In one
 * snapshot, in memory that does not grow with the payments. A transfer that an administrator has marked on a later day than
 * it was sent stands as it was known until then, and its other class is a correction at the end of that day.
 */
export async function eachEntry(
  db: Db,
  { from, to }: Period,
  take: (entries: readonly Entry[]) => Promise<void>,
): Promise<void> {
  await db.transaction(
    async (tx) => {
      const end = await journalEnd(tx)
      if (!end) return
      const [begins, ends] = [secondsOf(from), secondsOf(to) + daySeconds - 1]
      const period = openPeriod(begins, ends, take)
      for await (const entries of allEntries(tx, end, ends)) if (!(await period.take(entries))) break
      await period.close(end.at <= ends ? end : undefined)
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
}

/** Keeps what was before the period as sums, hands on what is in it, and ends with it. */
function openPeriod(begins: number, ends: number, take: (entries: readonly Entry[]) => Promise<void>) {
  const balances = openBalances()
  let isBegun = false
  let newest: bigint | null = null
  let last = begins

  const begin = async () => {
    if (isBegun) return
    isBegun = true
    const forward = balances
      .all()
      .map((each) => ({ ...each, kind: 'forward' as const, counterparty: null, reason: null }))
    if (forward.length > 0)
      await take([{ at: begins, block: null, transactionHash: null, postings: forward }])
  }
  const note = ({ postings, block, at }: Entry) => {
    for (const posting of postings) balances.add(posting, posting.units)
    newest = block ?? newest
    last = Math.max(at, last)
  }
  return {
    /** False once the period is over. */
    async take(entries: readonly Entry[]): Promise<boolean> {
      for (const entry of entries) if (entry.at < begins) note(entry)
      const inside = entries.filter(({ at }) => at >= begins && at <= ends)
      if (inside.length > 0) {
        await begin()
        for (const entry of inside) note(entry)
        await take(inside)
      }
      return entries.every(({ at }) => at <= ends)
    },
    /** `end`: the block that all of it was read up to, if that lies in the period. */
    async close(end: { block: bigint; at: number } | undefined): Promise<void> {
      await begin()
      const wallets = balances.all().filter(({ account }) => account === 'wallet')
      const nothing = { kind: 'end' as const, units: 0n, counterparty: null, reason: null }
      if (wallets.length > 0)
        await take([
          {
            ...{ at: Math.max(end?.at ?? ends, last), block: end?.block ?? newest, transactionHash: null },
            postings: wallets.map((each) => ({ ...each, ...nothing })),
          },
        ])
    },
  }
}

/** All entries from the beginning until they are behind the period, with the corrections of each day. */
async function* allEntries(tx: Db, end: JournalEnd, ends: number): AsyncGenerator<Entry[]> {
  const terms = await journalTerms(tx, end)
  const marked = await markedTransfers(tx)
  const days = marked.days.filter(({ at }) => at <= ends)
  let journal = openJournal(terms)
  let knownTo = -1
  const pagesOf = async function* () {
    for await (const page of flowPages(tx, { token: end.token, after: -1n, upTo: end.block }))
      yield page.map((flow) => ({ flow, known: asKnown(flow, knownTo, marked) }))
  }
  const recall = async (books: Journal, page: readonly { known: Flow }[]) => {
    const payers = new Set(page.flatMap(({ known }) => paidBackBy(known) ?? []))
    const before = page[0]?.known.blockNumber ?? 0n
    const past = await flowsOfPayers(tx, { token: end.token, payers, before })
    books.recall(
      payers,
      past.map((flow) => asKnown(flow, knownTo, marked)),
    )
  }

  /** What was read until here, as it is known on another day. */
  async function again(pages: number, flows: number): Promise<Journal> {
    const fresh = openJournal(terms)
    let read = 0
    for await (const page of pagesOf()) {
      const here = read++
      if (here > pages) break
      await recall(fresh, page)
      for (const { known } of here < pages ? page : page.slice(0, flows)) fresh.take(known)
      fresh.entries()
    }
    return fresh
  }
  async function* correctBefore(time: number, pages: number, flows: number): AsyncGenerator<Entry[]> {
    for (let next = days[0]; next && next.at < time; next = days[0]) {
      const { day, at } = next
      days.shift()
      knownTo = day
      const fresh = await again(pages, flows)
      for (const books of [journal, fresh]) books.passTime(at)
      fresh.entries()
      const correction = correctionOf(journal.balances, fresh.balances, at)
      yield [...journal.entries(), ...(correction ? [correction] : [])]
      journal = fresh
    }
  }

  let pages = 0
  for await (const page of pagesOf()) {
    await recall(journal, page)
    for (const [index, { flow }] of page.entries()) {
      yield* correctBefore(flow.blockTime, pages, index)
      journal.take(asKnown(flow, knownTo, marked))
    }
    yield journal.entries()
    if ((page.at(-1)?.flow.blockTime ?? 0) > ends) return
    pages++
  }
  // In the time behind the newest flow.
  yield* correctBefore(ends + 1, pages, 0)
  journal.close(end.block, end.at)
  yield journal.entries()
}

async function journalTerms(tx: Db, { token, block }: JournalEnd): Promise<JournalTerms> {
  const opened = await tx
    .select()
    .from(walletOpenings)
    .where(
      and(
        ...[eq(walletOpenings.token, token), eq(walletOpenings.isOnChain, true)],
        ...[isNull(walletOpenings.closedAt), lte(walletOpenings.blockNumber, block)],
      ),
    )
  const drawn = await tx.select({ eventNumber: draws.eventNumber, blocks: draws.blocks }).from(draws)
  const refunded = await tx
    .select({ eventNumber: events.number, at: events.refundModeAt })
    .from(events)
    .where(isNotNull(events.refundModeAt))
  const [newest] = await tx
    .select({ number: events.number })
    .from(events)
    .orderBy(desc(events.number))
    .limit(1)
  return {
    openings: opened.flatMap(({ wallet, blockNumber, blockHash, blockTime, units }) =>
      units === null ? [] : { wallet, blockNumber, blockHash, units, at: secondsAt(blockTime) },
    ),
    draws: drawn.flatMap(({ eventNumber, blocks }) => {
      const last = blocks.at(-1)
      return last ? { eventNumber, blockNumber: BigInt(last.number), at: last.timestamp } : []
    }),
    refunding: refunded.flatMap(({ eventNumber, at }) => (at ? { eventNumber, at: secondsAt(at) } : [])),
    prizes: await promisedTokenPrizes(tx, newest?.number ?? 0),
  }
}

const secondsAt = (date: Date): number => Math.floor(date.getTime() / 1000)
