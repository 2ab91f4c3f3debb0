import { desc, eq } from 'drizzle-orm'
import { getAddress } from 'viem'
import type { EventPage, EventState } from '../../core/content/event-content.ts'
import { commitmentOf } from '../../core/draw/anchor.ts'
import { drawingMs } from '../../core/draw/rules.ts'
import { termsSha256 } from '../../core/event/terms.ts'
import { centsOf } from '../../core/money.ts'
import { readDrawn } from '../draw/draws.ts'
import { type Event, getEvent } from '../event/events.ts'
import { contentOfEvent } from '../event/next.ts'
import { shownChange, termsOf } from '../event/terms.ts'
import { type Db, snapshot } from '../index.ts'
import { loadPrizes } from '../prize/shown.ts'
import { loadOpenRefunds } from '../refund/dues.ts'
import { changes, draws } from '../schema/index.ts'

const shownChanges = 200

/** `now` is the moment of the public state, which knows when a drawing has ended. Undefined for no such event. */
export async function loadEventPage(db: Db, number: number, now: Date): Promise<EventPage | undefined> {
  return snapshot(db, async (tx) => {
    const event = await getEvent(tx, number)
    if (!event) return undefined
    const terms = await termsOf(tx, event)
    const draw = await shownDraw(tx, event, now)
    const isShown = draw !== undefined && (event.winnerClearedAt === null || event.archivedAt !== null)
    const page: EventPage = {
      eventNumber: number,
      state: await stateOf(tx, event, draw !== undefined, now),
      isArchived: event.archivedAt !== null,
      content: await contentOfEvent(tx, number),
      contentSha256: event.contentSha256,
      terms,
      termsSha256: termsSha256(terms),
      ticketPrice: Number(centsOf(event.ticketPrice)),
      ticketsSold: event.ticketsSold,
      minTickets: event.minTickets,
      saleStart: event.saleStart.toISOString(),
      saleEnd: event.saleEnd?.toISOString() ?? null,
      drawDate: event.drawDate?.toISOString() ?? null,
      entropy: event.entropy,
      operatorWallet: event.operatorWallet && getAddress(event.operatorWallet),
      chainId: event.chainId,
      tokenAddress: getAddress(event.token),
      refundReason: event.refundReason,
      result: isShown ? await resultOf(tx, event, draw) : null,
      hasLedger: event.frozenAt !== null,
      prizes: isShown ? await loadPrizes(tx, [number]) : [],
      changes: await changesOf(tx, number),
    }
    return page
  })
}

type Draw = typeof draws.$inferSelect

/** The draw, once its drawing has ended; an archived event's has. */
async function shownDraw(tx: Db, event: Event, now: Date): Promise<Draw | undefined> {
  const [draw] = await tx.select().from(draws).where(eq(draws.eventNumber, event.number))
  if (!draw) return undefined
  const began = event.redrawnAt ?? draw.drawnAt
  return event.archivedAt !== null || began.getTime() + drawingMs <= now.getTime() ? draw : undefined
}

async function stateOf(tx: Db, event: Event, isDrawn: boolean, now: Date): Promise<EventState> {
  if (isDrawn) return 'drawn'
  if (event.refundModeAt) return (await isPaidBack(tx, event)) ? 'refunded' : 'refunding'
  if (event.archivedAt) return 'archived-undrawn'
  if (event.frozenAt || event.stoppedAt || (event.saleEnd && event.saleEnd <= now)) return 'sale-over'
  return event.openedAt ? 'on-sale' : 'soon'
}

const isPaidBack = async (tx: Db, { number }: Event): Promise<boolean> =>
  (await loadOpenRefunds(tx)).every(({ eventNumber }) => eventNumber !== number)

async function resultOf(tx: Db, event: Event, draw: Draw): Promise<EventPage['result']> {
  const winners = (await readDrawn(tx, [event.number])).filter(({ kind }) => kind === 'winner')
  return {
    winners: winners.map(({ place, payer, transactionHash, ticket, ticketCount }) => ({
      ...{ place, walletAddress: getAddress(payer), transactionHash, ticketNumber: ticket, ticketCount },
    })),
    randomNumber: `${draw.randomNumber}`,
    drawnAt: draw.drawnAt.toISOString(),
    ledgerSha256: draw.ledgerSha256,
    commitment: event.terms === null ? null : commitmentOf(event.terms, draw.ledgerSha256),
  }
}

async function changesOf(tx: Db, number: number): Promise<EventPage['changes']> {
  const rows = await tx
    .select()
    .from(changes)
    .where(eq(changes.eventNumber, number))
    .orderBy(desc(changes.id))
    .limit(shownChanges)
  return rows.map(shownChange)
}
