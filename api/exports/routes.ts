import { Elysia } from 'elysia'
import { RaffleError } from '../../core/errors.ts'
import { getEvent, getOpenEvent } from '../../db/event/events.ts'
import type { Db } from '../../db/index.ts'
import type { AdminGuard } from '../auth/guard.ts'
import type { Deps } from '../deps.ts'
import { route } from '../http/route.ts'
import { exportQueue } from './queue.ts'
import { eventBody, eventInPath, workbook } from './schema.ts'

/** The public ticket list of the running event as a workbook: made once per version, kept for a minute. */
export const exportRoutes = ({
  db,
  state,
  log,
  admin: { databaseUrl, exportsDir },
}: Pick<Deps, 'db' | 'state' | 'log' | 'admin'>) => {
  const lane = exportQueue({
    db,
    databaseUrl,
    place: exportsDir,
    keepMs: 60_000,
    log,
  })
  return new Elysia().get(
    '/api/tickets/export/excel',
    ...route(
      {
        about: 'All tickets of the current event as a workbook',
        file: workbook,
        refusals: ['EXPORT_BUSY', 'EXPORT_NO_ROOM'],
      },
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

/** Workbooks for administrators: draw history, refund recipients, all payments of an event. */
export const adminExportRoutes = (
  { db, log, admin: { databaseUrl, exportsDir } }: Pick<Deps, 'db' | 'log' | 'admin'>,
  guard: AdminGuard,
) => {
  const lane = exportQueue({ db, databaseUrl, place: exportsDir, keepMs: 0, log })
  return new Elysia({ prefix: '/api/admin/export' })
    .post(
      '/history',
      ...guard.action(
        'export.history',
        { about: 'Draw history as a workbook', file: workbook, atomic: false },
        () => lane('history', 'draw-history-추첨기록.xlsx', { sheet: 'history', eventNumber: 0 }),
      ),
    )
    .post(
      '/refund',
      ...guard.action(
        'export.refund',
        {
          about: 'Refund recipients of an event as a workbook',
          body: eventBody,
          file: workbook,
          atomic: false,
        },
        async ({ body, record }) => {
          const eventNumber = await noted(db, body, record)
          return lane('refund', `refund-event-${eventNumber}-환불대상.xlsx`, { sheet: 'refund', eventNumber })
        },
      ),
    )
    .post(
      '/books',
      ...guard.action(
        'export.books',
        {
          about: 'The books of the refunds of an event, by payer, wallet and token, as a workbook',
          body: eventBody,
          file: workbook,
          atomic: false,
        },
        async ({ body, record }) => {
          const eventNumber = await noted(db, body, record)
          return lane('books', `books-event-${eventNumber}-환불장부.xlsx`, { sheet: 'books', eventNumber })
        },
      ),
    )
    .get(
      '/excel/event/:id',
      ...guard.read(
        { about: 'All payments of an event as a workbook', params: eventInPath, file: workbook },
        async ({ params: { id: number } }) => {
          if (!(await getEvent(db, number))) throw new RaffleError('NOT_FOUND', '해당 이벤트가 없습니다.')
          return lane('event', `event-${number}-이벤트.xlsx`, { sheet: 'event', eventNumber: number })
        },
      ),
    )
}

/** The event that a file is about, in its audit row too. Throws NOT_FOUND. */
async function noted(
  db: Db,
  { eventNumber }: { eventNumber?: number },
  record: (facts: { after: unknown }) => void,
): Promise<number> {
  const event = await (eventNumber === undefined ? getOpenEvent(db) : getEvent(db, eventNumber))
  if (!event) throw new RaffleError('NOT_FOUND', '해당 이벤트가 없습니다.')
  record({ after: { eventNumber: event.number } })
  return event.number
}
