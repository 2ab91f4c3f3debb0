import { Elysia } from 'elysia'
import { RaffleError } from '../../core/errors.ts'
import { salesCurve, salesFigures } from '../../db/report/sales.ts'
import type { AdminGuard } from '../auth/guard.ts'
import type { Deps } from '../deps.ts'
import { notModified } from '../http/answers.ts'
import { answerReady, readyJson, rememberByVersion } from '../http/ready.ts'
import { route } from '../http/route.ts'
import { eventInPath } from '../http/values.ts'
import { salesFigures as figures, publicSales } from './schema.ts'

/** The sale as a picture, from memory: read again once the public state has another version. */
export const salesRoutes = ({ db, state }: Pick<Deps, 'db' | 'state'>) => {
  const version = () => state.version
  const sales = rememberByVersion(version, async (eventNumber) => {
    const found = await salesCurve(db, eventNumber)
    return found && readyJson(found, 'public, max-age=0, s-maxage=5, stale-if-error=600')
  })
  return new Elysia().get(
    '/api/raffle/sales/:eventNumber',
    ...route({
      about: 'How many tickets were sold by when',
      more: 'At most 120 counts, each of all tickets so far. Answered from memory, with an ETag.',
      params: eventInPath,
      answer: publicSales,
      also: notModified,
      run: async ({ params: { eventNumber }, request }) => {
        const found = await sales(eventNumber)
        if (!found) throw new RaffleError('NOT_FOUND', { reason: 'event' })
        return answerReady(request, found)
      },
    }),
  )
}

/** Tickets by hour and day, wallets by size, money by what became of it. */
export const salesFiguresRoutes = (guard: AdminGuard) =>
  new Elysia({ prefix: '/api/admin/raffle' }).get(
    '/sales',
    ...guard.read({
      about: 'The sale of the open event in figures',
      more: 'The last 72 hours and 120 days (UTC), wallets by the number of their tickets, money by what became of it.',
      answer: figures,
      background: true,
      run: ({ db }) => salesFigures(db),
    }),
  )
