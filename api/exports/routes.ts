import { Elysia } from 'elysia'
import { RaffleError } from '../../core/errors.ts'
import { getEvent, getOpenEvent } from '../../db/event/events.ts'
import type { AdminGuard } from '../auth/guard.ts'
import type { Deps } from '../deps.ts'
import { type Fields, onlyFields } from '../http/fields.ts'
import { toEventNumber, toInteger } from '../http/parse.ts'
import { exportLane } from './lane.ts'

/** Workbooks for administrators: draw history, refund recipients, all payments of an event. */
export const adminExportRoutes = (
  { db, log, admin: { databaseUrl } }: Pick<Deps, 'db' | 'log' | 'admin'>,
  guard: AdminGuard,
) => {
  const lane = exportLane({ db, databaseUrl, keepMs: 0, log })
  return new Elysia({ prefix: '/api/admin/export' })
    .post(
      '/history',
      guard.action('export.history', { atomic: false }, () =>
        lane('history', 'draw-history-추첨기록.xlsx', { sheet: 'history', eventNumber: 0 }),
      ),
      { parse: 'none' },
    )
    .post(
      '/refund',
      guard.action('export.refund', eventBody, async ({ body: { eventNumber }, record }) => {
        const event = await (eventNumber === undefined ? getOpenEvent(db) : getEvent(db, eventNumber))
        if (!event) throw new RaffleError('NOT_FOUND', 'There is no such event.')
        record({ after: { eventNumber: event.number } })
        return lane('refund', `refund-event-${event.number}-환불대상.xlsx`, {
          sheet: 'refund',
          eventNumber: event.number,
        })
      }),
      { parse: 'none' },
    )
    .get(
      '/excel/event/:id',
      guard.read(async ({ params }) => {
        const number = toEventNumber(params.id ?? '')
        if (!(await getEvent(db, number))) throw new RaffleError('NOT_FOUND', 'There is no such event.')
        return lane('event', `event-${number}-이벤트.xlsx`, { sheet: 'event', eventNumber: number })
      }),
    )
}

/** Whose list: the open event's unless another is named. */
const eventBody = {
  atomic: false,
  bodyOptional: true,
  body: (fields: Fields) => {
    onlyFields(fields, ['eventNumber'])
    const { eventNumber: number } = fields
    return {
      eventNumber:
        number === undefined ? undefined : toInteger(number, 'INVALID_VALUE', 'eventNumber', 1, 2 ** 31 - 1),
    }
  },
} as const
