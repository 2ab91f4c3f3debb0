import { bucketSecondsFor, type PublicSales } from '../../core/sales/sales.ts'
import { getEvent } from '../event/events.ts'
import { getScanCursor } from '../event/scan-cursor.ts'
import type { Db } from '../index.ts'
import { soldBy } from './sold-by.ts'

/** The sale of an event, also of an archived one; undefined where there is no such event. */
export const salesCurve = (db: Db, eventNumber: number): Promise<PublicSales | undefined> =>
  db.transaction(
    async (tx) => {
      const event = await getEvent(tx, eventNumber)
      if (!event) return undefined
      const { saleStart, saleEnd, ticketsSold, minTickets } = event
      const seen = (await getScanCursor(tx))?.blockTime ?? saleStart
      const to = new Date(Math.max(+saleStart, Math.min(+seen, saleEnd ? +saleEnd : +seen)))
      // A sale with an end keeps its spans while it runs.
      const seconds = bucketSecondsFor((+(saleEnd ?? to) - +saleStart) / 1_000)
      const count = Math.ceil((+to - +saleStart) / 1_000 / seconds)
      const before = await soldBy(
        tx,
        { eventNumber, ticketsSold },
        { from: saleStart, seconds, count: count - 1 },
      )
      return {
        eventNumber,
        from: saleStart.toISOString(),
        to: to.toISOString(),
        bucketSeconds: seconds,
        tickets: count < 1 ? [] : [...before, ticketsSold],
        minTickets,
      }
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
