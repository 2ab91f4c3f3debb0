import { eq, sql } from 'drizzle-orm'
import { type Address, getAddress } from 'viem'
import { RaffleError } from '../../core/errors.ts'
import { saleEndOf } from '../../core/event.ts'
import type { Db } from '../index.ts'
import { rereadSale } from '../payment/refold.ts'
import { draws, events, refundBatches, scanCursor } from '../schema/index.ts'
import { addChange } from './changes.ts'
import {
  type EnvTerms,
  type Event,
  hasPayments,
  lockOpenEvent,
  nextSaleStart,
  watchWallet,
} from './events.ts'
import { bumpVersion } from './version.ts'

/** Fields that an administrator may change; undefined leaves a field alone. Types are checked already. */
export type EventPatch = {
  drawDate?: Date | null | undefined
  /** Optional; if given it must equal the derived one. */
  saleEndDate?: Date | null | undefined
  googleFormUrl?: string | null | undefined
  operatorWallet?: Address | undefined
  minTickets?: number | undefined
}

type Rules = {
  /** Terms of the environment, for a newly opened event. */
  terms: EnvTerms
  /** OPERATOR_WALLET: no form may change it. */
  pinnedWallet: Address | undefined
  /** The revision that the administrator saw. */
  revision?: number | undefined
}

/**
 * Changes the open event under the rules of dates and locks. A draw date for an event that is over archives
 * it (`archived` is its number) and opens the next one, to which the other fields apply.
 * Throws VERSION_CONFLICT, EVENT_LOCKED, WALLET_PINNED, DATE_IN_PAST, INVALID_DATE; nothing is changed then.
 */
export async function updateEvent(
  db: Db,
  patch: EventPatch,
  rules: Rules,
): Promise<{ event: Event; archived: number | undefined }> {
  return db.transaction(async (tx) => {
    const event = await lockOpenEvent(tx)
    if (!event) throw new RaffleError('DB_UNAVAILABLE', 'No event has been opened yet.')
    if (rules.revision !== undefined && rules.revision !== event.revision)
      throw new RaffleError(
        'VERSION_CONFLICT',
        'Somebody else has changed these settings. Reload and try again.',
      )
    const isNext = patch.drawDate instanceof Date && (await isOver(tx, event))
    const target = isNext ? await openNext(tx, event, patch, rules.terms) : event
    // Dates first: a new wallet moves the scan back and with it the time of the newest block.
    const dates = await checkDates(tx, target, patch)
    const changed = { ...dates, ...(await checkWallet(tx, target, patch, rules)) }
    const fields = { ...changed, googleFormUrl: patch.googleFormUrl }
    const [updated] = await tx
      .update(events)
      .set({ ...fields, revision: sql`${events.revision} + 1` })
      .where(eq(events.number, target.number))
      .returning()
    await publishChanges(tx, target, updated as Event)
    await bumpVersion(tx)
    return { event: updated as Event, archived: isNext ? event.number : undefined }
  })
}

/** Ends the sale early, into refund mode, and lists the change: the remedy for a mistyped wallet. */
export async function stopSale(db: Db): Promise<Event> {
  return db.transaction(async (tx) => {
    const event = await lockOpenEvent(tx)
    if (!event) throw new RaffleError('DB_UNAVAILABLE', 'No event has been opened yet.')
    if (event.stoppedAt || isPast(event.saleEnd, await newestMoment(tx)))
      throw new RaffleError('EVENT_LOCKED', 'The sale has ended already.')
    const [stopped] = await tx
      .update(events)
      .set({
        stoppedAt: sql`now()`,
        saleEnd: nextSaleStart,
        drawDate: null,
        revision: sql`${events.revision} + 1`,
      })
      .where(eq(events.number, event.number))
      .returning()
    await publishChanges(tx, event, stopped as Event)
    await addChange(tx, event.number, 'sales', 'open', 'stopped')
    await bumpVersion(tx)
    return stopped as Event
  })
}

/** Resumes sales after the ledger was refolded. False if they were not halted. */
export async function resumeSales(db: Db): Promise<boolean> {
  return db.transaction(async (tx) => {
    const event = await lockOpenEvent(tx)
    if (!event?.haltedAt) return false
    await tx.update(events).set({ haltedAt: null }).where(eq(events.number, event.number))
    await addChange(tx, event.number, 'sales', 'halted', 'open')
    await bumpVersion(tx)
    return true
  })
}

/** An event is over when it was drawn, its refunds were prepared, or it ended without a ticket. */
export async function isOver(tx: Db, event: Event): Promise<boolean> {
  const [row] = await tx.execute<{ drawn: boolean; drawing: boolean; refunded: boolean; due: boolean }>(sql`
    select exists (select 1 from ${draws} where event_number = ${event.number}) as drawn,
      exists (select 1 from ${draws} where event_number = ${event.number} and greatest(drawn_at, ${event.redrawnAt?.toISOString() ?? null}::timestamptz) + interval '10 seconds' > now()) as drawing,
      exists (select 1 from ${refundBatches} where event_number = ${event.number} and kind = 'event') as refunded,
      (select draw_date <= now() or (stopped_at is not null and frozen_at is not null)
        from ${events} where number = ${event.number}) as due`)
  // The archive shows the winner, so it must wait until the drawing has ended.
  if (row?.drawing)
    throw new RaffleError('EVENT_LOCKED', 'The draw is being announced. Try again in ten seconds.')
  return (
    row?.drawn === true ||
    row?.refunded === true ||
    (row?.due === true && event.frozenAt !== null && event.ticketsSold === 0)
  )
}

async function openNext(tx: Db, over: Event, patch: EventPatch, terms: EnvTerms): Promise<Event> {
  await tx
    .update(events)
    .set({ archivedAt: sql`now()`, refundNotice: false, revision: sql`${events.revision} + 1` })
    .where(eq(events.number, over.number))
  const operatorWallet = (terms.operatorWallet?.toLowerCase() as Address | undefined) ?? over.operatorWallet
  if (operatorWallet) await watchWallet(tx, operatorWallet)
  const [next] = await tx
    .insert(events)
    .values({
      number: over.number + 1,
      ticketPrice: terms.ticketPrice,
      saleLeadSeconds: terms.saleLeadSeconds,
      operatorWallet,
      chainId: terms.chainId,
      token: terms.usdtAddress.toLowerCase() as Address,
      minTickets: patch.minTickets ?? over.minTickets,
      saleStart: nextSaleStart,
      googleFormUrl: over.googleFormUrl,
    })
    .returning()
  return next as Event
}

async function checkWallet(tx: Db, event: Event, patch: EventPatch, { pinnedWallet }: Rules) {
  const wallet = patch.operatorWallet?.toLowerCase() as Address | undefined
  if (!wallet || wallet === event.operatorWallet) return {}
  if (pinnedWallet && wallet !== pinnedWallet.toLowerCase())
    throw new RaffleError(
      'WALLET_PINNED',
      'The operator wallet is pinned by OPERATOR_WALLET.',
      {},
      { field: 'operatorWallet' },
    )
  if (await hasPayments(tx, event.number))
    throw new RaffleError(
      'EVENT_LOCKED',
      'The operator wallet is locked since the first payment of this event.',
      {},
      { field: 'operatorWallet' },
    )
  await watchWallet(tx, wallet)
  // Blocks of this sale were scanned only for other wallets. It has no tickets yet, so they are read again.
  await rereadSale(tx, event, `the operator wallet is now ${getAddress(wallet)}`)
  return { operatorWallet: wallet, walletProvenAt: null }
}

async function checkDates(tx: Db, event: Event, patch: EventPatch) {
  const drawDate = patch.drawDate === undefined ? event.drawDate : patch.drawDate
  const minTickets = patch.minTickets ?? event.minTickets
  const moved = drawDate?.getTime() !== event.drawDate?.getTime()
  const saleEnd = moved ? drawDate && saleEndOf(drawDate, event.saleLeadSeconds) : event.saleEnd
  if (patch.saleEndDate && patch.saleEndDate.getTime() !== saleEnd?.getTime())
    throw new RaffleError(
      'INVALID_DATE',
      `The sale ends at ${saleEnd?.toISOString() ?? 'no date'}, as the draw date has it.`,
      {},
      { field: 'saleEndDate' },
    )
  if (!moved && minTickets === event.minTickets) return {}
  const now = await newestMoment(tx)
  if (event.stoppedAt || isPast(event.saleEnd, now))
    throw new RaffleError('EVENT_LOCKED', 'Draw date and minimum are locked since the sale end.')
  if (moved && saleEnd && (isPast(saleEnd, now) || saleEnd <= event.saleStart))
    throw new RaffleError(
      'DATE_IN_PAST',
      `The sale would end at ${saleEnd.toISOString()}, which is not in the future.`,
      {},
      { field: 'drawDate' },
    )
  return { drawDate, saleEnd, minTickets }
}

/** The later of the database's clock and the newest block seen: no change may affect earlier blocks. */
async function newestMoment(tx: Db): Promise<Date> {
  const [row] = await tx.execute<{ moment: string }>(
    sql`select greatest(clock_timestamp(), (select greatest(block_time, newest_block_time) from ${scanCursor})) as moment`,
  )
  return new Date(row?.moment as string)
}

const isPast = (date: Date | null, now: Date): boolean => date !== null && date <= now

async function publishChanges(tx: Db, before: Event, after: Event): Promise<void> {
  const wallet = (address: Address | null) => address && getAddress(address)
  const told = [
    ['drawDate', before.drawDate, after.drawDate],
    ['saleEndDate', before.saleEnd, after.saleEnd],
    ['minTicketsForDraw', before.minTickets, after.minTickets],
    ['operatorWallet', wallet(before.operatorWallet), wallet(after.operatorWallet)],
  ] as const
  for (const [field, from, to] of told)
    if (String(from) !== String(to)) await addChange(tx, after.number, field, from, to)
}
