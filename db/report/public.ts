import { and, desc, eq, isNotNull, sql } from 'drizzle-orm'
import { getAddress } from 'viem'
import { type BeaconNetwork, quicknet } from '../../core/draw/beacon.ts'
import { RaffleError } from '../../core/errors.ts'
import { drawByOf } from '../../core/event/event.ts'
import { termsSha256 } from '../../core/event/terms.ts'
import { type PublicEventSettings, recentLimit } from '../../core/live/public.ts'
import { type PublicFacts, prizeState, raffledIn } from '../../core/live/state.ts'
import { centsOf } from '../../core/money.ts'
import { promisesOf } from '../../core/prize/promise.ts'
import { commitmentOfEvent } from '../draw/anchors.ts'
import { loadPublicBeacon, loadPublicBlocks } from '../draw/beacons.ts'
import { isRevealed, publicDrawn, readDrawn } from '../draw/draws.ts'
import { type Event, eventColumns, getOpenEvent } from '../event/events.ts'
import { contentOfEvent } from '../event/next.ts'
import { bumpVersion, formerWalletsOf, getBook, termsOf } from '../event/terms.ts'
import { loadPublicBranding } from '../house/branding.ts'
import { loadPublicRules } from '../house/rules.ts'
import { type Db, readClock, snapshot } from '../index.ts'
import { loadPrizes } from '../prize/shown.ts'
import { loadOpenRefunds } from '../refund/dues.ts'
import { draws, events, house, payments, settings } from '../schema/index.ts'
import { readNodeWatch } from './health.ts'
import { loadSolvency } from './solvency.ts'

/**
 * One snapshot, and the database's clock then (milliseconds); undefined before the first event. Questions are sent at once:
 * visitors wait for the slowest, not for each.
 */
export async function loadPublicFacts(db: Db, network: BeaconNetwork = quicknet) {
  return snapshot(db, async (tx) => {
    const [row, event, nodes, refunds, archived, eventSettings, rules, branding, solvency] =
      await Promise.all([
        readVersion(tx),
        getOpenEvent(tx),
        readNodeWatch(tx),
        loadOpenRefunds(tx),
        loadArchived(tx),
        getEventSettings(tx),
        loadPublicRules(tx),
        loadPublicBranding(tx),
        loadSolvency(tx),
      ])
    if (!row || !event) return undefined
    const { number } = event
    const [terms, formerWallets, draw, beacon, blocks, recent, book, saved] = await Promise.all([
      termsOf(tx, event),
      formerWalletsOf(tx, event),
      loadDraw(tx, event),
      loadPublicBeacon(tx, event, network),
      loadPublicBlocks(tx, event),
      loadRecent(tx, number),
      getBook(tx),
      contentOfEvent(tx, number),
    ])
    const facts: PublicFacts = {
      version: row.version,
      config: {
        ...ownConfig(event),
        ...{ refundReason: event.refundReason, terms, book, formerWallets, branding },
        termsSha256: termsSha256(terms),
      },
      event: {
        ticketPriceCents: Number(centsOf(event.ticketPrice)),
        ticketsSold: event.ticketsSold,
        hasStarted: event.openedAt !== null,
        drawDate: event.drawDate?.getTime() ?? null,
        saleEnd: event.saleEnd?.getTime() ?? null,
        raffled: raffledIn(saved),
        refundNotice: event.refundNotice,
        isHalted: event.haltedAt !== null || row.shutSince !== null,
        winnerCleared: event.winnerClearedAt !== null,
      },
      ...{
        nodes,
        draw,
        beacon,
        ...blocks,
        refunds,
        recent,
        archived,
        eventSettings,
        solvency,
        rules,
      },
    }
    return { facts, now: Number(row.now) }
  })
}

async function readVersion(tx: Db) {
  const [row] = await tx
    .select({
      version: house.version,
      shutSince: house.shutSince,
      now: sql<string>`extract(epoch from clock_timestamp()) * 1000`,
    })
    .from(house)
  return row
}

const ownConfig = (event: Event) => ({
  eventNumber: event.number,
  drawDate: event.drawDate?.toISOString() ?? null,
  saleEndDate: event.saleEnd?.toISOString() ?? null,
  saleStart: event.saleStart.toISOString(),
  isRefundMode: event.refundModeAt !== null,
  googleFormUrl: event.googleFormUrl,
  operatorWallet: event.operatorWallet && getAddress(event.operatorWallet),
  minTicketsForDraw: event.minTickets,
  chainId: event.chainId,
  tokenAddress: getAddress(event.token),
  saleLeadSeconds: event.saleLeadSeconds,
  entropy: event.entropy,
  winners: event.winners,
  prizes: promisesOf(event),
  drawBy: event.drawDate && drawByOf(event.drawDate).toISOString(),
})

async function loadDraw(tx: Db, event: Event): Promise<PublicFacts['draw']> {
  const [draw] = await tx.select().from(draws).where(eq(draws.eventNumber, event.number))
  const drawn = draw ? (await readDrawn(tx, [event.number])).map(publicDrawn) : []
  const [winner] = drawn
  if (!draw || !winner) return null
  const { walletAddress, transactionHash, ticketNumber } = winner
  return {
    drawnAt: (event.redrawnAt ?? draw.drawnAt).getTime(),
    ...{ walletAddress, transactionHash, ticketNumber, randomNumber: `${draw.randomNumber}` },
    ...{ winners: drawn, prizes: await loadPrizes(tx, [event.number]) },
  }
}

async function loadRecent(tx: Db, eventNumber: number): Promise<PublicFacts['recent']> {
  const { id, ticketNumber, ticketCount, transactionHash, payer, blockTime, units } = payments
  const rows = await tx
    .select({ id, ticketNumber, ticketCount, transactionHash, payer, blockTime, units })
    .from(payments)
    .where(and(eq(payments.eventNumber, eventNumber), isNotNull(ticketNumber)))
    .orderBy(desc(ticketNumber))
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
  const { number, drawDate, winners: winnerCount, content } = events
  const { eventNumber: drawnNumber, randomNumber } = draws
  const rows = await tx
    .select({ number, drawDate, winnerCount, content, drawnNumber, randomNumber })
    .from(events)
    .leftJoin(draws, eq(draws.eventNumber, events.number))
    .where(isNotNull(events.archivedAt))
    .orderBy(desc(events.number))
  const numbers = rows.flatMap(({ drawnNumber }) => drawnNumber ?? [])
  const [drawn, prizes] = await Promise.all([readDrawn(tx, numbers), loadPrizes(tx, numbers)])
  const winners = drawn.filter(({ kind }) => kind === 'winner').map(publicDrawn)
  return rows.map(({ number, drawDate, winnerCount, content, randomNumber }) => {
    const isIts = ({ eventNumber }: { eventNumber: number }) => eventNumber === number
    const its = winners.filter(isIts)
    return {
      ...{ id: number, eventNumber: number, drawDate: drawDate?.toISOString() ?? null },
      winnerWallet: its[0]?.walletAddress ?? null,
      winnerTransactionHash: its[0]?.transactionHash ?? null,
      randomNumber: randomNumber?.toString() ?? null,
      winners: winnerCount > 1 ? its : [],
      prizes: prizes.filter(isIts).map(prizeState),
      ...raffledIn(content),
    }
  })
}

/** Newest first; `drawn` are winners, then reserves. Administrators see no winner before the drawing has ended, either. */
export async function listDrawHistory(db: Db) {
  const rows = await db
    .select({ event: eventColumns, draw: draws, isRevealed })
    .from(events)
    .leftJoin(draws, eq(draws.eventNumber, events.number))
    .orderBy(desc(events.number))
  const all = await readDrawn(
    db,
    rows.flatMap(({ draw, isRevealed }) => (draw && isRevealed ? [draw.eventNumber] : [])),
  )
  return rows.map(({ event, draw, isRevealed }) => {
    const told = isRevealed ? draw : null
    const drawn = all.filter(({ eventNumber }) => eventNumber === event.number)
    const [winner] = drawn
    return {
      id: event.number,
      eventNumber: event.number,
      drawDate: event.drawDate?.toISOString() ?? null,
      isActive: event.archivedAt === null,
      isRefundMode: event.refundModeAt !== null,
      winnerCleared: event.winnerClearedAt !== null,
      ticketsSold: event.ticketsSold,
      minTicketsForDraw: event.minTickets,
      ticketPrice: Number(centsOf(event.ticketPrice)) / 100,
      operatorWallet: event.operatorWallet && getAddress(event.operatorWallet),
      ledgerSha256: event.ledgerSha256,
      commitment: commitmentOfEvent(event) ?? null,
      entropy: event.entropy,
      winners: event.winners,
      winnerId: winner?.payment ?? null,
      winnerWallet: winner ? getAddress(winner.payer) : null,
      winnerTransactionHash: winner?.transactionHash ?? null,
      winningTicket: told?.winningTicket ?? null,
      randomNumber: told ? `${told.randomNumber}` : null,
      drawnAt: told?.drawnAt.toISOString() ?? null,
      blockSeed: told?.blockSeed ?? null,
      beaconRound: told?.beacon?.round ?? null,
      beaconSignature: told?.beacon?.signature ?? null,
      drawn: drawn.map(publicDrawn),
    }
  })
}

export type EventSettingsPatch = {
  [Name in Exclude<keyof PublicEventSettings, 'updatedAt'>]?: PublicEventSettings[Name] | Date | undefined
}

const noSettings: PublicEventSettings = {
  ...{ prizeImageUrl: null, prizeValue: null, prizeDescription: null, eventStartDate: null },
  ...{ isActive: false, updatedAt: null },
}

export async function getEventSettings(db: Db, lock = false): Promise<PublicEventSettings> {
  const found = db.select({ nextEvent: settings.nextEvent }).from(settings)
  const [row] = await (lock ? found.for('update') : found)
  return { ...noSettings, ...row?.nextEvent }
}

/** Fields left out stay. Throws VERSION_CONFLICT if `seen` is not the newest `updatedAt` any more. */
export async function updateEventSettings(db: Db, patch: EventSettingsPatch, seen?: string | null) {
  return db.transaction(async (tx) => {
    const before = await getEventSettings(tx, true)
    if (seen !== undefined && seen !== before.updatedAt) throw new RaffleError('VERSION_CONFLICT')
    const updatedAt = new Date((await readClock(tx)) * 1000).toISOString()
    const given: Partial<PublicEventSettings> = JSON.parse(JSON.stringify(patch))
    const after = { ...before, ...given, updatedAt }
    await tx.update(settings).set({ nextEvent: after })
    await bumpVersion(tx)
    return { before, after }
  })
}
