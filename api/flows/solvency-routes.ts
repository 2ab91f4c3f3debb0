import { Elysia } from 'elysia'
import { mustHaveEvent } from '../../db/event/events.ts'
import { solvencyPast } from '../../db/flows/solvency.ts'
import type { AdminGuard } from '../auth/guard.ts'
import { solvencyHistory } from './solvency-schema.ts'

/** What the wallets held and owed since the sale start, for the dashboard's chart. */
export const solvencyRoutes = (guard: AdminGuard) =>
  new Elysia({ prefix: '/api/admin/raffle' }).get(
    '/solvency',
    ...guard.read(
      {
        about: 'What was held and required since the sale start',
        more: 'A point behind each transaction; of many points 500 at most, with all extremes.',
        answer: solvencyHistory,
        background: true,
      },
      async ({ db }) => solvencyPast(db, await mustHaveEvent(db)),
    ),
  )
