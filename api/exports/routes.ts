import { Type as t } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { type Language, languages } from '../../core/admin/language.ts'
import { RaffleError } from '../../core/errors.ts'
import { getEvent, getOpenEvent } from '../../db/event/events.ts'
import type { AdminGuard } from '../auth/guard.ts'
import type { Deps } from '../deps.ts'
import { route } from '../http/route.ts'
import { exact } from '../http/schema.ts'
import { eventNumber, oneOf, whole } from '../http/values.ts'
import { exportDownloads, workbook } from './download.ts'

/** Of headers, words and the file's name; the public ticket list has both languages in it, and only its name differs. */
const inLanguage = t.Object({ lang: oneOf(languages) })
/** Only payers who are owed something in this event; of all events if none is given. */
const eventBody = exact({ eventNumber: t.Optional(whole(1, 2 ** 31 - 1)) })

type ExportDeps = Pick<Deps, 'db' | 'log' | 'admin'>

/** The public ticket list of the running event as a workbook. */
export const exportRoutes = (deps: ExportDeps) => {
  const download = exportDownloads(deps)
  return new Elysia().get(
    ...route('/api/tickets/export/excel', {
      about: 'All tickets of the current event as a workbook',
      query: inLanguage,
      file: workbook,
      refusals: ['EXPORT_BUSY'],
      run: async ({ query: { lang } }) => {
        const event = await getOpenEvent(deps.db)
        if (!event) throw new RaffleError('DB_UNAVAILABLE', { reason: 'event' })
        const name = fileName(`tickets-event-${event.number}`, '티켓목록', lang)
        return download(name, { sheet: 'tickets', eventNumber: event.number, language: 'ko' })
      },
    }),
  )
}

/** Workbooks for administrators: draw history, refunds, all payments of an event. They have a turn of their own. */
export const adminExportRoutes = (deps: ExportDeps, guard: AdminGuard) => {
  const download = exportDownloads(deps)
  const file = { query: inLanguage, file: workbook, refusals: ['NOT_FOUND', 'EXPORT_BUSY'] as const }
  // They only read.
  const reading = { own: true, fresh: false, atomic: false } as const
  const expectEvent = async (number: number) => {
    if (number > 0 && !(await getEvent(deps.db, number)))
      throw new RaffleError('NOT_FOUND', { reason: 'event' })
  }
  return new Elysia({ prefix: '/api/admin/export' })
    .post(
      ...guard.action('/history', {
        action: 'export.history',
        about: 'Draw history as a workbook',
        ...file,
        ...reading,
        run: ({ query: { lang: language = 'ko' } }) =>
          download(fileName('draw-history', '추첨기록', language), {
            ...{ sheet: 'history', eventNumber: 0, language },
          }),
      }),
    )
    .post(
      ...guard.action('/refund', {
        action: 'export.refund',
        about: 'Refunds as a workbook, a line a payer',
        body: eventBody,
        ...file,
        ...reading,
        run: async ({ body: { eventNumber = 0 }, query: { lang: language = 'ko' }, record }) => {
          await expectEvent(eventNumber)
          record({ after: { eventNumber: eventNumber || null } })
          const stem = eventNumber > 0 ? `refund-event-${eventNumber}` : 'refund'
          return download(fileName(stem, '환불대상', language), { sheet: 'refund', eventNumber, language })
        },
      }),
    )
    .get(
      ...guard.read('/excel/event/:id', {
        about: 'All payments of an event as a workbook',
        params: t.Object({ id: eventNumber }),
        ...file,
        run: async ({ params: { id: eventNumber }, query: { lang: language = 'ko' } }) => {
          await expectEvent(eventNumber)
          return download(fileName(`event-${eventNumber}`, '이벤트', language), {
            ...{ sheet: 'event', eventNumber, language },
          })
        },
      }),
    )
}

/** Ends in Korean unless English is asked for. */
const fileName = (stem: string, korean: string, language: Language = 'ko'): string =>
  language === 'en' ? `${stem}.xlsx` : `${stem}-${korean}.xlsx`
