import { and, desc, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { getAddress } from 'viem'
import { recentLimit } from '../../core/live.ts'
import { centsOf } from '../../core/money.ts'
import type { RefundCause } from '../../core/refund/rules.ts'
import type { PublicFacts } from '../../core/state.ts'
import { termsSha256 } from '../../core/terms.ts'
import type { Db } from '../index.ts'
import { readNodeWatch } from '../report/node-watch.ts'
import { draws, events, outcomes, payments, publicVersion } from '../schema/index.ts'
import type { Event } from './events.ts'
import { getEventSettings } from './settings.ts'
import { termsOf } from './terms.ts'

/**
 * One snapshot of the facts behind every public call, and the database's clock then (milliseconds).
 * Undefined while no event has been opened.
 */
export async function loadPublicFacts(db: Db): Promise<{ facts: PublicFacts; now: number } | undefined> {
  return db.transaction(
    async (tx) => {
      const [row] = await tx
        .select({
          version: publicVersion.version,
          now: sql<string>`extract(epoch from clock_timestamp()) * 1000`,
        })
        .from(publicVersion)
      const [event] = await tx.select().from(events).where(isNull(events.archivedAt))
      if (!row || !event) return undefined
      const terms = await termsOf(tx, event)
      const facts: PublicFacts = {
        version: row.version,
        event: {
          number: event.number,
          operatorWallet: event.operatorWallet && getAddress(event.operatorWallet),
          chainId: event.chainId,
          token: getAddress(event.token),
          ticketPriceCents: Number(centsOf(event.ticketPrice)),
          saleLeadSeconds: event.saleLeadSeconds,
          minTickets: event.minTickets,
          saleStart: event.saleStart.getTime(),
          hasStarted: event.openedAt !== null,
          drawDate: event.drawDate?.getTime() ?? null,
          saleEnd: event.saleEnd?.getTime() ?? null,
          googleFormUrl: event.googleFormUrl,
          ticketsSold: event.ticketsSold,
          isRefundMode: event.refundModeAt !== null,
          refundReason: event.refundModeAt && (await loadRefundReason(tx, event)),
          terms,
          termsSha256: event.termsSha256 ?? termsSha256(terms),
          entropy: event.entropy,
          winners: event.winners,
          firstDrawDate: event.firstDrawDate?.getTime() ?? null,
          refundNotice: event.refundNotice,
          isHalted: event.haltedAt !== null,
          winnerCleared: event.winnerClearedAt !== null,
        },
        nodes: await readNodeWatch(tx),
        draw: await loadDraw(tx, event),
        recent: await loadRecent(tx, event.number),
        archived: await loadArchived(tx),
        eventSettings: await getEventSettings(tx),
      }
      return { facts, now: Number(row.now) }
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
}

async function loadRefundReason(tx: Db, { number }: Event): Promise<RefundCause | null> {
  const [row] = await tx
    .select({ reason: outcomes.reason })
    .from(outcomes)
    .where(eq(outcomes.eventNumber, number))
  return row?.reason ?? null
}

async function loadDraw(tx: Db, event: Event): Promise<PublicFacts['draw']> {
  const [row] = await tx
    .select()
    .from(draws)
    .innerJoin(payments, eq(payments.id, draws.winningPayment))
    .where(eq(draws.eventNumber, event.number))
  return row
    ? {
        drawnAt: (event.redrawnAt ?? row.draws.drawnAt).getTime(),
        walletAddress: getAddress(row.payments.payer),
        transactionHash: row.payments.transactionHash,
        ticketNumber: row.draws.winningTicket,
        randomNumber: row.draws.randomNumber.toString(),
      }
    : null
}

async function loadRecent(tx: Db, eventNumber: number): Promise<PublicFacts['recent']> {
  const rows = await tx
    .select()
    .from(payments)
    .where(and(eq(payments.eventNumber, eventNumber), isNotNull(payments.ticketNumber)))
    .orderBy(desc(payments.ticketNumber))
    .limit(recentLimit)
  return rows.map((payment) => ({
    id: payment.id,
    ticketNumber: payment.ticketNumber as number,
    ticketCount: payment.ticketCount,
    transactionHash: payment.transactionHash,
    walletAddress: getAddress(payment.payer),
    createdAt: payment.blockTime.toISOString(),
    amount: Number(centsOf(payment.units)),
  }))
}

async function loadArchived(tx: Db): Promise<PublicFacts['archived']> {
  const rows = await tx
    .select()
    .from(events)
    .leftJoin(draws, eq(draws.eventNumber, events.number))
    .leftJoin(payments, eq(payments.id, draws.winningPayment))
    .where(isNotNull(events.archivedAt))
    .orderBy(desc(events.number))
  return rows.map(({ events: event, draws: draw, payments: payment }) => ({
    id: event.number,
    eventNumber: event.number,
    drawDate: event.drawDate?.toISOString() ?? null,
    winnerWallet: payment ? getAddress(payment.payer) : null,
    winnerTransactionHash: payment?.transactionHash ?? null,
    randomNumber: draw?.randomNumber.toString() ?? null,
  }))
}
