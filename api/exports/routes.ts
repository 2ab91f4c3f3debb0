import { Elysia } from 'elysia'
import { RaffleError } from '../../core/errors.ts'
import { getEvent, getOpenEvent } from '../../db/event/events.ts'
import type { AdminGuard } from '../auth/guard.ts'
import type { Deps } from '../deps.ts'
import { route } from '../http/route.ts'
import { exportQueue } from './queue.ts'
import { eventBody, eventInPath, inLanguage, workbook } from './schema.ts'
import { fileName } from './texts.ts'

/** The public ticket list of the running event as a workbook: made once per version, kept for a minute. */
export const exportRoutes = ({
  db,
  state,
  log,
  admin: {
    databaseUrl,
    makeExport,
    exportsDir,
    refunds: { minUnits },
  },
}: Pick<Deps, 'db' | 'state' | 'log' | 'admin'>) => {
  const queue = exportQueue({
    db,
    databaseUrl,
    make: makeExport,
    place: exportsDir,
    keepMs: 60_000,
    log,
  })
  return new Elysia().get(
    '/api/tickets/export/excel',
    ...route(
      {
        about: 'All tickets of the current event as a workbook',
        query: inLanguage,
        file: workbook,
        refusals: ['EXPORT_BUSY', 'EXPORT_NO_ROOM'],
      },
      async ({ query: { lang } }) => {
        const event = await getOpenEvent(db)
        if (!event) throw new RaffleError('DB_UNAVAILABLE', 'No event has been opened yet.')
        const version = state.snapshot()?.version ?? 0
        return queue(`${version}`, fileName(`tickets-event-${event.number}`, 'tickets', lang), {
          sheet: 'tickets',
          eventNumber: event.number,
          language: 'ko',
          minUnits,
        })
      },
    ),
  )
}

/** Workbooks for administrators: draw history, refunds, all payments of an event. */
export const adminExportRoutes = (
  { db, log, admin }: Pick<Deps, 'db' | 'log' | 'admin'>,
  guard: AdminGuard,
) => {
  const { databaseUrl, makeExport, exportsDir, refunds } = admin
  const { minUnits } = refunds
  const queue = exportQueue({ db, databaseUrl, make: makeExport, place: exportsDir, keepMs: 0, log })
  return new Elysia({ prefix: '/api/admin/export' })
    .post(
      '/history',
      ...guard.action(
        'export.history',
        {
          ...{ about: 'Draw history as a workbook', query: inLanguage, file: workbook },
          // It only reads.
          ...{ own: true, fresh: false, atomic: false },
        },
        ({ query: { lang: language = 'ko' } }) =>
          queue('history', fileName('draw-history', 'history', language), {
            sheet: 'history',
            eventNumber: 0,
            language,
            minUnits,
          }),
      ),
    )
    .post(
      '/refund',
      ...guard.action(
        'export.refund',
        {
          about: 'Refunds as a workbook, a line a payer',
          body: eventBody,
          query: inLanguage,
          file: workbook,
          refusals: ['NOT_FOUND'],
          // It only reads.
          ...{ own: true, fresh: false, atomic: false },
        },
        async ({ body: { eventNumber = 0 }, query: { lang: language = 'ko' }, record }) => {
          if (eventNumber > 0 && !(await getEvent(db, eventNumber))) throw noSuchEvent()
          record({ after: { eventNumber: eventNumber || null } })
          const stem = eventNumber > 0 ? `refund-event-${eventNumber}` : 'refund'
          return queue(`refund-${eventNumber}`, fileName(stem, 'refund', language), {
            sheet: 'refund',
            eventNumber,
            language,
            minUnits,
          })
        },
      ),
    )
    .get(
      '/excel/event/:id',
      ...guard.read(
        {
          about: 'All payments of an event as a workbook',
          params: eventInPath,
          query: inLanguage,
          file: workbook,
        },
        async ({ params: { id: number }, query: { lang: language = 'ko' } }) => {
          if (!(await getEvent(db, number))) throw noSuchEvent()
          return queue('event', fileName(`event-${number}`, 'event', language), {
            sheet: 'event',
            eventNumber: number,
            language,
            minUnits,
          })
        },
      ),
    )
}

const noSuchEvent = () => new RaffleError('NOT_FOUND', '해당 이벤트가 없습니다.')
