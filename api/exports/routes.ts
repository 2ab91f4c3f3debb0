import { Elysia } from 'elysia'
import { RaffleError } from '../../core/errors.ts'
import { getEvent, getOpenEvent } from '../../db/event/events.ts'
import { journalEnd } from '../../db/report/journal.ts'
import type { ActionCall, AdminGuard } from '../auth/guard.ts'
import type { Deps } from '../deps.ts'
import { route } from '../http/route.ts'
import { exportQueue } from './queue.ts'
import { eventBody, eventInPath, inLanguage, inPeriod, journal, workbook } from './schema.ts'
import { fileName } from './texts.ts'

/** The public ticket list of the running event as a workbook: made once per version, kept for a minute. */
export const exportRoutes = ({
  db,
  state,
  log,
  admin: { databaseUrl, makeExport, exportsDir },
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
        })
      },
    ),
  )
}

/** Workbooks for administrators: draw history, refund recipients, all payments of an event. */
export const adminExportRoutes = (
  { db, log, admin: { databaseUrl, makeExport, exportsDir } }: Pick<Deps, 'db' | 'log' | 'admin'>,
  guard: AdminGuard,
) => {
  const queue = exportQueue({ db, databaseUrl, make: makeExport, place: exportsDir, keepMs: 0, log })
  const ofEvent = { body: eventBody, query: inLanguage, file: workbook, atomic: false }
  /** The sheet of an event, which is in the audit row too. Throws NOT_FOUND. */
  const eventSheet =
    (sheet: 'refund' | 'books') =>
    async ({
      body: { eventNumber },
      query: { lang: language = 'ko' },
      record,
    }: Pick<ActionCall<typeof eventBody, typeof inLanguage>, 'body' | 'query' | 'record'>) => {
      const event = await (eventNumber === undefined ? getOpenEvent(db) : getEvent(db, eventNumber))
      if (!event) throw new RaffleError('NOT_FOUND', '해당 이벤트가 없습니다.')
      record({ after: { eventNumber: event.number } })
      return queue(sheet, fileName(`${sheet}-event-${event.number}`, sheet, language), {
        sheet,
        eventNumber: event.number,
        language,
      })
    }
  return new Elysia({ prefix: '/api/admin/export' })
    .post(
      '/history',
      ...guard.action(
        'export.history',
        { about: 'Draw history as a workbook', query: inLanguage, file: workbook, atomic: false },
        ({ query: { lang: language = 'ko' } }) =>
          queue('history', fileName('draw-history', 'history', language), {
            sheet: 'history',
            eventNumber: 0,
            language,
          }),
      ),
    )
    .post(
      '/refund',
      ...guard.action(
        'export.refund',
        { about: 'Refund recipients of an event as a workbook', ...ofEvent },
        eventSheet('refund'),
      ),
    )
    .post(
      '/books',
      ...guard.action(
        'export.books',
        {
          about: 'The books of the refunds of an event, by payer, wallet and token, as a workbook',
          ...ofEvent,
        },
        eventSheet('books'),
      ),
    )
    .get(
      '/journal',
      ...guard.action(
        'export.journal',
        {
          about: 'The journal of a period as CSV: double entry over every transfer of the wallets',
          more: 'From one UTC day to another, both of them in it. docs/spec.md says what its columns and accounts are.',
          query: inPeriod,
          file: journal,
          refusals: ['NOT_FOUND', 'EXPORT_BUSY', 'EXPORT_NO_ROOM'],
          atomic: false,
          values: ({ query: { from, to } }) => {
            if (to < from)
              throw new RaffleError('INVALID_VALUE', 'to: 시작일보다 빠를 수 없습니다.', {}, { field: 'to' })
          },
        },
        async ({ query: { from, to, lang: language = 'ko' }, record }) => {
          if (!(await journalEnd(db))) throw new RaffleError('NOT_FOUND', '아직 장부에 적을 기록이 없습니다.')
          record({ after: { from, to } })
          const wanted = { sheet: 'journal', eventNumber: 0, language, period: { from, to } } as const
          return queue('journal', fileName(`journal-${from}-${to}`, 'journal', language), wanted)
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
          if (!(await getEvent(db, number))) throw new RaffleError('NOT_FOUND', '해당 이벤트가 없습니다.')
          return queue('event', fileName(`event-${number}`, 'event', language), {
            sheet: 'event',
            eventNumber: number,
            language,
          })
        },
      ),
    )
}
