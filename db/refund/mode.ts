import { eq, sql } from 'drizzle-orm'
import { mustRefund } from '../../core/draw/rules.ts'
import { RaffleError } from '../../core/errors.ts'
import { factsOf } from '../draw/facts.ts'
import { addChange } from '../event/changes.ts'
import { lockOpenEvent } from '../event/events.ts'
import { bumpVersion } from '../event/version.ts'
import type { Db } from '../index.ts'
import { events } from '../schema/index.ts'

/** Puts an event that sold too few tickets into refund mode; true if this call did it. Safe to run twice. */
export async function enterRefundMode(db: Db, eventNumber: number): Promise<boolean> {
  return db.transaction(async (tx) => {
    const event = await lockOpenEvent(tx)
    if (event?.number !== eventNumber || !mustRefund({ ...(await factsOf(tx, event)), isDue: true }))
      return false
    await tx
      .update(events)
      .set({ refundModeAt: sql`now()`, revision: sql`${events.revision} + 1` })
      .where(eq(events.number, eventNumber))
    await addChange(tx, eventNumber, 'refundMode', null, 'on')
    await bumpVersion(tx)
    return true
  })
}

/**
 * Shows or hides the refund notice on the public page and returns its previous state. It can be shown in refund
 * mode only (else MIN_REACHED or SALES_OPEN), so the page never announces refunds that will not come.
 */
export async function setRefundNotice(db: Db, active: boolean): Promise<boolean> {
  return db.transaction(async (tx) => {
    const event = await lockOpenEvent(tx)
    if (!event) throw new RaffleError('DB_UNAVAILABLE', 'No event has been opened yet.')
    if (active && !event.refundModeAt)
      throw event.ticketsSold >= event.minTickets
        ? new RaffleError('MIN_REACHED', '최소 티켓 수를 달성하여 환불 대상이 아닙니다.')
        : new RaffleError('SALES_OPEN', '아직 환불 모드가 아닙니다.')
    if (event.refundNotice === active) return active
    await tx
      .update(events)
      .set({ refundNotice: active, revision: sql`${events.revision} + 1` })
      .where(eq(events.number, event.number))
    await bumpVersion(tx)
    return event.refundNotice
  })
}
