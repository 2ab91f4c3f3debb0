import { and, desc, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { getAddress } from 'viem'
import { type BeaconNetwork, quicknet } from '../../core/draw/beacon.ts'
import { recentLimit } from '../../core/live.ts'
import { centsOf } from '../../core/money.ts'
import type { WouldHaveWon } from '../../core/public.ts'
import type { RefundCause } from '../../core/refund/rules.ts'
import type { PublicFacts } from '../../core/state.ts'
import { termsSha256 } from '../../core/terms.ts'
import { loadPublicBeacon, loadPublicBlocks } from '../draw/beacons.ts'
import { loadDrawnTickets } from '../draw/drawn-tickets.ts'
import { loadWouldHaveWon } from '../draw/would-have-won.ts'
import type { Db } from '../index.ts'
import { loadOpenRefunds } from '../refund/progress.ts'
import { readNodeWatch } from '../report/node-watch.ts'
import { draws, events, outcomes, payments, publicVersion } from '../schema/index.ts'
import type { Event } from './events.ts'
import { publicOwnWallets } from './own-wallets.ts'
import { getEventSettings } from './settings.ts'
import { termsOf } from './terms.ts'

/**
 * One snapshot of the facts behind every public call, and the database's clock then (milliseconds).
 * Undefined while no event has been opened. `network` is the beacon's.
 */
export async function loadPublicFacts(
  db: Db,
  network: BeaconNetwork = quicknet,
): Promise<{ facts: PublicFacts; now: number } | undefined> {
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
      const undrawn = await loadWouldHaveWon(tx)
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
          ownWallets: await publicOwnWallets(tx, event.saleEnd),
          entropy: event.entropy,
          winners: event.winners,
          firstDrawDate: event.firstDrawDate?.getTime() ?? null,
          refundNotice: event.refundNotice,
          isHalted: event.haltedAt !== null,
          winnerCleared: event.winnerClearedAt !== null,
        },
        nodes: await readNodeWatch(tx),
        draw: await loadDraw(tx, event),
        beacon: await loadPublicBeacon(tx, event, network),
        ...(await loadPublicBlocks(tx, event.number)),
        wouldHaveWon: undrawn.get(event.number) ?? null,
        refunds: await loadOpenRefunds(tx),
        recent: await loadRecent(tx, event.number),
        archived: await loadArchived(tx, undrawn),
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
        winners: await loadDrawnTickets(tx, [row.draws]),
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

async function loadArchived(tx: Db, undrawn: Map<number, WouldHaveWon>): Promise<PublicFacts['archived']> {
  const rows = await tx
    .select()
    .from(events)
    .leftJoin(draws, eq(draws.eventNumber, events.number))
    .leftJoin(payments, eq(payments.id, draws.winningPayment))
    .where(isNotNull(events.archivedAt))
    .orderBy(desc(events.number))
  const several = rows.flatMap(({ events: event, draws: draw }) => (draw && event.winners > 1 ? [draw] : []))
  const winners = await loadDrawnTickets(
    tx,
    several.map((draw) => ({ ...draw, reserves: [] })),
  )
  return rows.map(({ events: event, draws: draw, payments: payment }) => ({
    id: event.number,
    eventNumber: event.number,
    drawDate: event.drawDate?.toISOString() ?? null,
    winnerWallet: payment ? getAddress(payment.payer) : null,
    winnerTransactionHash: payment?.transactionHash ?? null,
    randomNumber: draw?.randomNumber.toString() ?? null,
    winners: winners.filter(({ eventNumber }) => eventNumber === event.number),
    wouldHaveWon: undrawn.get(event.number) ?? null,
  }))
}
