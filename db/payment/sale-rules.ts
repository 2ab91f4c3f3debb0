import { asc, eq, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import { parseTerms, type TermsField } from '../../core/event/terms.ts'
import { judgePayment, type OurWallet, type SaleRules } from '../../core/payment/judge.ts'
import type { FoundPayment } from '../../core/payment/payment.ts'
import { lockTerms } from '../event/lock.ts'
import type { Db } from '../index.ts'
import { events, operatorWallets, termsVersions } from '../schema/index.ts'

/**
 * All that decides about payments: the terms of every event that has a wallet, one entry a version, and our wallets. Of locked
 * terms the event's row is the last version, as its draw date may have been set since.
 */
export async function getSaleRules(db: Db): Promise<SaleRules> {
  const rows = await db.select({ event: events }).from(events).orderBy(asc(events.number))
  const versions = await db.select().from(termsVersions).orderBy(asc(termsVersions.since))
  return {
    events: rows.flatMap(({ event }) => {
      const { number, lockedAt } = event
      const isClosed = event.frozenAt !== null || event.archivedAt !== null
      const inForce = versions.filter(
        ({ eventNumber, since }) => eventNumber === number && (!lockedAt || since <= lockedAt),
      )
      const last = inForce.pop()
      const terms = [
        ...inForce.map(({ since, line }) => ({
          ...{ since: seconds(since), isClosed: isClosed || lockedAt !== null },
          ...judgedBy(line),
        })),
        {
          ...{ operatorWallet: event.operatorWallet, anchorWallet: event.anchorWallet },
          since: seconds(last && inForce.length > 0 ? last.since : event.saleStart),
          ...{ ticketPrice: event.ticketPrice, saleStart: seconds(event.saleStart) },
          ...{ saleEnd: event.saleEnd && seconds(event.saleEnd), isClosed },
        },
      ]
      const formerWallets = rows.flatMap(
        ({ event: one }) => (one.number < number && one.operatorWallet) || [],
      )
      return terms.flatMap(({ operatorWallet, ...one }) =>
        operatorWallet
          ? {
              ...{ ...one, number, operatorWallet, formerWallets },
              isLocked: lockedAt !== null,
            }
          : [],
      )
    }),
    wallets: await getOurWallets(db),
  }
}

const seconds = (date: Date): number => date.getTime() / 1000

/** What a terms line says about payments. */
function judgedBy(line: string) {
  const terms = parseTerms(line) as Record<TermsField, string>
  const orNull = <T>(text: string, read: (text: string) => T): T | null =>
    text === 'none' ? null : read(text)
  return {
    operatorWallet: orNull(terms.operatorWallet, (text) => text as Address),
    anchorWallet: orNull(terms.anchorWallet, (text) => text as Address),
    ...{ ticketPrice: BigInt(terms.ticketPrice), saleStart: Number(terms.saleStart) },
    saleEnd: orNull(terms.saleEnd, Number),
  }
}

/**
 * The rules for what was found, once the first payment worth a ticket has locked the version that was in force when it was paid.
 * The caller holds the event's lock, and `found` is in chain order.
 */
export async function rulesFor(tx: Db, found: readonly FoundPayment[]): Promise<SaleRules> {
  const rules = await getSaleRules(tx)
  const isOpen = new Set(rules.events.filter(({ isLocked }) => !isLocked).map(({ number }) => number))
  for (const payment of isOpen.size > 0 ? found : []) {
    const { eventNumber, status } = judgePayment(payment, payment.blockTime, rules)
    if (status === 'credited' && eventNumber !== null && isOpen.has(eventNumber)) {
      await lockTerms(tx, eventNumber, new Date(payment.blockTime * 1000))
      return rulesFor(tx, found)
    }
  }
  return rules
}

/** Every wallet that is or was ours. */
async function getOurWallets(db: Db): Promise<OurWallet[]> {
  const rows = await db.select().from(operatorWallets).orderBy(asc(operatorWallets.address))
  return rows.map(({ address, since }) => ({ address, since: Math.floor(since.getTime() / 1000) }))
}

/** When an event's sale began at first: it begins anew with another wallet, which a ticket paid before takes back. */
export async function firstSaleStart(db: Db, eventNumber: number): Promise<Date | undefined> {
  const [row] = await db
    .select({
      start:
        sql`least(${events.saleStart}, min(${termsVersions.since}) filter (where ${termsVersions.row} ->> 'operator_wallet' is not null))`.mapWith(
          events.saleStart,
        ),
    })
    .from(events)
    .leftJoin(termsVersions, eq(termsVersions.eventNumber, events.number))
    .where(eq(events.number, eventNumber))
    .groupBy(events.number)
  return row?.start ?? undefined
}
