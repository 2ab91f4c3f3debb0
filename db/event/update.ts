import type { Address } from 'viem'
import { RaffleError } from '../../core/errors.ts'
import {
  type Entropy,
  expectOpen,
  furthestDateMs,
  type Locks,
  locksOf,
  saleEndOf,
} from '../../core/event/event.ts'
import type { Db } from '../index.ts'
import { type EnvTerms, type Event, mustLockEvent, newestMoment } from './events.ts'
import { isOver, lockDraft, openNext } from './next.ts'
import { expectOpenHouse } from './shut.ts'
import { dateInPast, setTerms } from './terms.ts'

export type EventPatch = {
  drawDate?: Date | null | undefined
  /** Optional; if given it must equal the derived one. */
  saleEndDate?: Date | null | undefined
  googleFormUrl?: string | null | undefined
  operatorWallet?: Address | undefined
  minTickets?: number | undefined
  entropy?: Entropy | undefined
}

type Rules = {
  terms: EnvTerms
  /** OPERATOR_WALLET: no form may change it. */
  pinnedWallet: Address | undefined
  /** How far ahead a date ends the sale at least, once the terms are locked. */
  leastNoticeMs?: number | undefined
  revision?: number | undefined
  contentRevision?: number | undefined
}

/** `archived`: the number of the event that this change ended. */
export type Updated = { event: Event; archived: number | undefined }

/**
 * A draw date for an event that is over archives it and opens the next one; this call's fields come before the draft's. Throws
 * the errors of dates, locks, wallets and versions, and changes nothing then.
 */
export async function updateEvent(db: Db, patch: EventPatch, rules: Rules): Promise<Updated> {
  return db.transaction(async (tx) => {
    const event = await mustLockEvent(tx)
    await expectOpenHouse(tx)
    if (rules.revision !== undefined && rules.revision !== event.revision)
      throw new RaffleError('VERSION_CONFLICT')
    if (patch.drawDate instanceof Date && (await isOver(tx, event)))
      return open(tx, event, patch, rules, rules.contentRevision)
    return { event: await change(tx, event, patch, rules), archived: undefined }
  })
}

/**
 * As the draft says, draw date included. Throws VERSION_CONFLICT, EVENT_LOCKED, DATE_IN_PAST, INVALID_VALUE for a draft without
 * a date; nothing changes then.
 */
export async function openNextEvent(
  db: Db,
  { draftRevision, contentRevision, ...rules }: Omit<Rules, 'revision'> & Seen,
): Promise<Updated> {
  return db.transaction(async (tx) => {
    const event = await mustLockEvent(tx)
    await expectOpenHouse(tx)
    const { drawDate } = (await lockDraft(tx, { revision: draftRevision })).terms
    if (!(await isOver(tx, event)))
      throw new RaffleError('EVENT_LOCKED', {
        reason: 'running',
        values: { event: event.number },
        field: 'eventNumber',
      })
    if (!drawDate) throw new RaffleError('INVALID_VALUE', { reason: 'nextDate', field: 'drawDate' })
    return open(tx, event, { drawDate }, rules, contentRevision)
  })
}

type Seen = { draftRevision: number; contentRevision?: number | undefined }

async function open(tx: Db, over: Event, patch: EventPatch, rules: Rules, contentRevision?: number) {
  const next = await openNext(tx, over, rules.terms, { minTickets: patch.minTickets, contentRevision })
  return { event: await change(tx, next, patch, rules), archived: over.number }
}

async function change(tx: Db, event: Event, patch: EventPatch, { pinnedWallet, leastNoticeMs }: Rules) {
  const locks = eventLocks(event, pinnedWallet)
  return setTerms(tx, event, {
    ...(await checkDates(tx, event, patch, { locks, leastNoticeMs })),
    ...checkWallet(event, patch, pinnedWallet, locks),
    ...checkEntropy(event, patch, locks),
    googleFormUrl: patch.googleFormUrl,
  })
}

export const eventLocks = (event: Event, pinnedWallet?: Address): Locks =>
  locksOf({
    isLocked: event.lockedAt !== null,
    hasEnded: event.hasEnded,
    hasDate: event.drawDate !== null,
    isPinned: pinnedWallet !== undefined && pinnedWallet.toLowerCase() === event.operatorWallet,
  })

function checkEntropy(event: Event, { entropy = event.entropy }: EventPatch, locks: Locks) {
  if (entropy !== event.entropy) expectOpen(locks, 'entropy')
  return { entropy }
}

function checkWallet(event: Event, patch: EventPatch, pinnedWallet: Address | undefined, locks: Locks) {
  const wallet = patch.operatorWallet?.toLowerCase() as Address | undefined
  if (!wallet || wallet === event.operatorWallet) return {}
  const field = 'operatorWallet'
  if (pinnedWallet && wallet !== pinnedWallet.toLowerCase()) throw new RaffleError('WALLET_PINNED', { field })
  expectOpen(locks, field)
  return { operatorWallet: wallet }
}

/** Under the lock a sale ends so much later than now at least, so that buyers learn of it. */
const usualNoticeMs = 600_000

async function checkDates(
  tx: Db,
  event: Event,
  patch: EventPatch,
  { locks, leastNoticeMs = usualNoticeMs }: { locks: Locks; leastNoticeMs: number | undefined },
) {
  const drawDate = patch.drawDate === undefined ? event.drawDate : patch.drawDate
  const minTickets = patch.minTickets ?? event.minTickets
  const moved = drawDate?.getTime() !== event.drawDate?.getTime()
  const saleEnd = moved ? drawDate && saleEndOf(drawDate, event.saleLeadSeconds) : event.saleEnd
  if (patch.saleEndDate && patch.saleEndDate.getTime() !== saleEnd?.getTime())
    throw new RaffleError('INVALID_DATE', {
      reason: 'saleEnd',
      values: { saleEnd: saleEnd?.toISOString() ?? '-' },
      field: 'saleEndDate',
    })
  if (moved) expectOpen(locks, 'drawDate')
  if (minTickets !== event.minTickets) expectOpen(locks, 'minTicketsForDraw')
  if (moved && drawDate && saleEnd) {
    const now = await newestMoment(tx)
    if (saleEnd <= event.saleStart) throw dateInPast(saleEnd)
    expectDate({ drawDate, saleEnd }, now, event.lockedAt ? leastNoticeMs : 0)
  }
  return { drawDate, saleEnd, minTickets }
}

/** Throws DATE_IN_PAST, DATE_TOO_FAR. */
export function expectDate(
  { drawDate, saleEnd }: { drawDate: Date; saleEnd: Date },
  now: Date,
  noticeMs = 0,
): void {
  if (saleEnd.getTime() <= now.getTime() + noticeMs) throw dateInPast(saleEnd)
  if (drawDate.getTime() > now.getTime() + furthestDateMs)
    throw new RaffleError('DATE_TOO_FAR', { field: 'drawDate' })
}
