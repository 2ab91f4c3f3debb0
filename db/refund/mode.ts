import { eq, sql } from 'drizzle-orm'
import type { BeaconNetwork } from '../../core/draw/beacon.ts'
import { dueRefund } from '../../core/draw/rules.ts'
import { RaffleError } from '../../core/errors.ts'
import type { RefundCause } from '../../core/refund/rules.ts'
import { factsOf } from '../draw/facts.ts'
import { lockOpenEvent } from '../event/events.ts'
import { beginRefundMode } from '../event/outcome.ts'
import { endSaleNow } from '../event/sale.ts'
import { bumpVersion } from '../event/version.ts'
import type { Db } from '../index.ts'
import { events } from '../schema/index.ts'

/**
 * Puts an event into refund mode that sold too few tickets, got no draw date in time or lost its beacon; a sale without
 * a draw date ends with it. `finalTime` (seconds) is that of the final block which the caller has just seen, and then
 * the clock is not asked; `network` is the beacon's. Answers with the cause if this call did it. Safe to run twice.
 */
export async function enterRefundMode(
  db: Db,
  eventNumber: number,
  { finalTime, network }: { finalTime?: number | undefined; network?: BeaconNetwork | undefined } = {},
): Promise<RefundCause | undefined> {
  return db.transaction(async (tx) => {
    const event = await lockOpenEvent(tx)
    if (event?.number !== eventNumber) return undefined
    const facts = await factsOf(tx, event, { finalTime, network })
    const isDue = event.drawDate !== null && (finalTime ?? 0) * 1000 >= event.drawDate.getTime()
    const cause = dueRefund({ ...facts, isDue })
    if (!cause) return undefined
    const begun = await beginRefundMode(tx, event, cause)
    if (begun && !event.drawDate) await endSaleNow(tx, event)
    return begun ? cause : undefined
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
