import { Elysia } from 'elysia'
import { salesCurve, salesFigures } from '../../db/report/sales.ts'
import type { AdminGuard } from '../auth/guard.ts'
import type { Deps } from '../deps.ts'
import { eventRoute } from '../http/route.ts'

/** The sale as a picture, from memory: read again once the public state has another version. */
export const salesRoutes = (deps: Pick<Deps, 'db' | 'state'>) =>
  new Elysia().get(
    ...eventRoute(deps, '/api/raffle/sales/:eventNumber', {
      about: 'How many tickets were sold by when',
      more: 'At most 120 counts, each of all tickets so far. Answered from memory, with an ETag.',
      load: salesCurve,
      caching: 'public, max-age=0, s-maxage=5, stale-if-error=600',
      missing: 'event',
    }),
  )

/** Tickets by hour and day, wallets by size, money by what became of it. */
export const salesFiguresRoutes = (guard: AdminGuard) =>
  new Elysia({ prefix: '/api/admin/raffle' }).get(
    ...guard.read('/sales', {
      about: 'The sale of the open event in figures',
      more: 'The last 72 hours and 120 days (UTC), wallets by the number of their tickets, money by what became of it.',
      background: true,
      run: ({ db }) => salesFigures(db),
    }),
  )
