import { Elysia } from 'elysia'
import { RaffleError } from '../../core/errors.ts'
import { getOpenEvent } from '../../db/event/events.ts'
import type { Deps } from '../deps.ts'
import { route } from '../http/route.ts'
import { exportLane } from './lane.ts'
import { workbook } from './schema.ts'

/** The ticket list of the running event as a workbook, for anybody: made once a version, kept for a minute. */
export const exportRoutes = ({
  db,
  state,
  log,
  admin: { databaseUrl },
}: Pick<Deps, 'db' | 'state' | 'log' | 'admin'>) => {
  const lane = exportLane({
    db,
    databaseUrl,
    keepMs: 60_000,
    log,
  })
  return new Elysia().get(
    '/api/tickets/export/excel',
    ...route(
      { about: 'All tickets of the current event as a workbook', file: workbook, refusals: ['EXPORT_BUSY'] },
      async () => {
        const event = await getOpenEvent(db)
        if (!event) throw new RaffleError('DB_UNAVAILABLE', 'No event has been opened yet.')
        const version = state.snapshot()?.version ?? 0
        return lane(`${version}`, `tickets-event-${event.number}-티켓목록.xlsx`, {
          sheet: 'tickets',
          eventNumber: event.number,
        })
      },
    ),
  )
}
