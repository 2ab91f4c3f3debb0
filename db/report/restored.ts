/** A restored database beside what the chain says of its book: what was promised and ended after the backup. */
import { and, count, eq, gte, inArray, isNotNull, lt, type SQL, sql } from 'drizzle-orm'
import type { PgTable, PgView } from 'drizzle-orm/pg-core'
import type { Address, Hex } from 'viem'
import type { EventContent } from '../../core/content/event-content.ts'
import { commitmentOf } from '../../core/draw/anchor.ts'
import type { Entropy } from '../../core/event/event.ts'
import { type parseTerms, termsSha256 } from '../../core/event/terms.ts'
import { type Event, getEvent } from '../event/events.ts'
import { getScanCursor, rewindCursor } from '../event/sale.ts'
import { addChange, bumpVersion, getBook, termsOf } from '../event/terms.ts'
import { type Db, readClock } from '../index.ts'
import { fingerprintLedger } from '../payment/ledger.ts'
import { takeBack } from '../payment/rewind.ts'
import { getOutgoingCursor } from '../refund/facts.ts'
import {
  anchors,
  cursors,
  events,
  house,
  operatorWallets,
  outgoingTransfers,
  payments,
  refundDues,
  termsVersions,
} from '../schema/index.ts'

export type ChainAnchor = typeof anchors.$inferSelect
export type Compared = NonNullable<Awaited<ReturnType<typeof compareWithChain>>>

/** Undefined where the house is open. `named`: wallets that were ours since the backup, as its operator says. */
export async function compareWithChain(db: Db, named: readonly Address[]) {
  const [row] = await db.select().from(house)
  if (!row?.shutSince) return undefined
  const [book, cursor, now] = [await getBook(db), await getOutgoingCursor(db), await readClock(db)]
  const isOfLastMinute = (read: { blockTime: Date } | undefined) =>
    read !== undefined && now * 1000 - read.blockTime.getTime() < 60_000
  const all = await db.select().from(anchors).orderBy(anchors.blockNumber, anchors.logIndex)
  const [known, ours] = [await ownCommitments(db), new Set<string>([...(await ownWallets(db)), ...named])]
  const foreign = all.filter((one) => !known.has(keyOf(one)))
  return {
    shutSince: row.shutSince,
    /** A restore is not why: the register knows the first wallet under another book. */
    isOtherBook: (await countOf(db, operatorWallets, eq(operatorWallets.booksReadAt, row.shutSince))) > 0,
    /** Up to this block the register's logs are on record. */
    readTo: cursor?.blockTime ?? null,
    /** That block and the last one whose payments are known are final and of the last minute, or there is no book to read. */
    isRead: !book || (isOfLastMinute(cursor) && isOfLastMinute(await getScanCursor(db))),
    anchors: all.length,
    paid: await countOf(db, outgoingTransfers, isNotNull(outgoingTransfers.total)),
    /** By wallets of ours, and no terms on record yield them. */
    unknown: foreign.filter(({ wallet }) => ours.has(wallet)),
    strangers: foreign.filter(({ wallet }) => !ours.has(wallet)),
    /** Payers of the open event who have received more than this database says that they are owed. */
    surplus: await countOf(db, refundDues, and(lt(refundDues.due, 0n), isOfOpenEvent)),
  }
}

const isOfOpenEvent = sql`exists (select from ${payments} p join ${events} e on e.number = p.event_number
  where e.archived_at is null and p.ticket_number > 0 and p.payer = ${refundDues.payer})`

async function countOf(db: Db, table: PgTable | PgView, where?: SQL): Promise<number> {
  const [row] = await db.select({ rows: count() }).from(table).where(where)
  return row?.rows ?? 0
}

const keyOf = ({ eventNumber, commitment }: { eventNumber: number; commitment: Hex }) =>
  `${eventNumber} ${commitment}`

/** T of every terms line on record, and C with the list as it is frozen or credited by now. */
async function ownCommitments(db: Db): Promise<Set<string>> {
  const known = new Set<string>()
  const versions = await db.select().from(termsVersions)
  for (const { number, terms, ledgerSha256 } of await db.select().from(events)) {
    const lines = versions.filter((one) => one.eventNumber === number).map(({ line }) => line)
    const list = ledgerSha256 ?? (await fingerprintLedger(db, number)).sha256
    for (const line of terms === null ? lines : [...lines, terms])
      for (const commitment of [termsSha256(line), commitmentOf(line, list)])
        known.add(keyOf({ eventNumber: number, commitment }))
  }
  return known
}

async function ownWallets(db: Db): Promise<Address[]> {
  const paid = await db.select({ wallet: operatorWallets.address }).from(operatorWallets)
  const anchoring = await db
    .select({ wallet: events.anchorWallet })
    .from(events)
    .where(isNotNull(events.anchorWallet))
  return [...paid, ...anchoring].flatMap(({ wallet }) => wallet ?? [])
}

type Terms = NonNullable<ReturnType<typeof parseTerms>>

/**
 * In one sentence; undefined where a wallet of ours has put the line on the chain. What the line says of its wallets is no
 * proof, as who anchors it writes it.
 */
export async function whyNotOurs(
  db: Db,
  event: Event,
  { line, terms }: { line: string; terms: Terms },
  named: readonly Address[],
): Promise<string | undefined> {
  if (terms.book !== (await getBook(db))) return 'These terms are of another book.'
  const { eventNumber, operatorWallet, anchorWallet } = terms
  const found = await db
    .selectDistinctOn([anchors.wallet], { wallet: anchors.wallet })
    .from(anchors)
    .where(
      and(
        eq(anchors.eventNumber, Number(eventNumber)),
        eq(anchors.commitment, termsSha256(line)),
        inArray(anchors.wallet, [operatorWallet, anchorWallet] as Address[]),
      ),
    )
  const by = found.map(({ wallet }) => wallet)
  if (by.length === 0)
    return `No wallet of these terms has anchored them: ${termsSha256(line)} is not on the chain.`
  if (event.lockedAt && !by.some((wallet) => wallet === event.operatorWallet))
    return `The terms of event ${eventNumber} are locked: only an anchor by ${event.operatorWallet} itself brings others.`
  const ours: readonly string[] = [...(await ownWallets(db)), ...named]
  const stranger = [by.find((wallet) => ours.includes(wallet)) ?? (by[0] as Address), operatorWallet].find(
    (wallet) => !ours.includes(wallet),
  )
  return (
    stranger && `${stranger} is no wallet of ours: say that it is by --wallet ${eventNumber}=${stranger}.`
  )
}

/**
 * The one version of the open event's terms from now on, locked; payments are judged again. For the tables' owner, as no
 * trigger may stop it. False, to be rolled back, where the event lacks the content or a former wallet. The caller holds the
 * event's lock.
 */
export async function adoptTerms(tx: Db, event: Event, line: string, terms: Terms): Promise<boolean> {
  const tables = [events, termsVersions]
  for (const table of tables) await tx.execute(sql`alter table ${table} disable trigger user`)
  const { saleEnd, drawDate } = { saleEnd: dateOf(terms.saleEnd), drawDate: dateOf(terms.drawDate) }
  const saleStart = dateOf(terms.saleStart) as Date
  const operatorWallet = addressOf(terms.operatorWallet)
  const winners = Number(terms.winners)
  const ofEvent = eq(events.number, event.number)
  await tx
    .update(events)
    .set({
      ...(operatorWallet !== event.operatorWallet && { walletProvenAt: null }),
      ...{ saleStart, saleEnd, drawDate, operatorWallet, anchorWallet: addressOf(terms.anchorWallet) },
      ...{ ticketPrice: BigInt(terms.ticketPrice), minTickets: Number(terms.minTickets) },
      ...{ autoDraw: terms.autoDraw === 'true', entropy: terms.entropy as Entropy },
      ...{ claimDays: Number(terms.claimDays), winners, prizes: event.prizes.slice(0, winners) },
      ...(saleEnd && drawDate && { saleLeadSeconds: (drawDate.getTime() - saleEnd.getTime()) / 1000 }),
      ...(await contentOf(tx, event, terms)),
      lockedAt: sql`coalesce(${events.lockedAt}, ${saleStart.toISOString()}::timestamptz)`,
      revision: sql`${events.revision} + 1`,
    })
    .where(ofEvent)
  const sha256 = termsSha256(line)
  await tx
    .delete(termsVersions)
    .where(and(eq(termsVersions.eventNumber, event.number), gte(termsVersions.since, saleStart)))
  await tx.execute(sql`
    insert into terms_versions select number, sale_start, ${line}, to_jsonb(events) from events where ${ofEvent}`)
  for (const table of tables) await tx.execute(sql`alter table ${table} enable trigger user`)
  if (operatorWallet)
    await tx
      .insert(operatorWallets)
      .values({ address: operatorWallet, since: saleStart })
      .onConflictDoNothing()
  await addChange(tx, event.number, 'terms', null, sha256)
  await readAgainFrom(tx, event.number, saleStart)
  await bumpVersion(tx)
  return (await termsOf(tx, (await getEvent(tx, event.number)) as Event)) === line
}

/** What was paid from this time on, whatever event it was taken for, is judged by the terms as they are now, and what their wallet sent is read too. */
async function readAgainFrom(tx: Db, eventNumber: number, from: Date): Promise<void> {
  await takeBack(tx, gte(payments.blockTime, from))
  await tx.update(events).set({ ticketsSold: 0 }).where(eq(events.number, eventNumber))
  await rewindCursor(tx, undefined)
  await tx.delete(cursors).where(eq(cursors.name, 'outgoing'))
}

/** The content that the terms promise, where a version of them has it; else the event keeps the one that it has. */
async function contentOf(tx: Db, { number }: Event, { contentSha256: sha256 }: Terms) {
  if (sha256 === 'none') return { content: null, contentSha256: null }
  const [found] = await tx
    .select({
      content: sql<EventContent>`${termsVersions.row} -> 'content'`,
      contentSha256: sql<Hex>`${termsVersions.row} ->> 'content_sha256'`,
    })
    .from(termsVersions)
    .where(
      and(eq(termsVersions.eventNumber, number), sql`${termsVersions.row} ->> 'content_sha256' = ${sha256}`),
    )
    .limit(1)
  return found
}

const dateOf = (seconds: string): Date | null =>
  seconds === 'none' ? null : new Date(Number(seconds) * 1000)
const addressOf = (text: string): Address | null => (text === 'none' ? null : (text as Address))
