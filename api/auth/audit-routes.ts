import { Elysia } from 'elysia'
import { listAudit } from '../../db/admin/audit.ts'
import { toCursor, toQueryText } from '../http/query.ts'
import type { AdminGuard } from './guard.ts'

/** What administrators did, newest first; the next page starts at the id of the last row. */
export const auditRoutes = (guard: AdminGuard) =>
  new Elysia({ prefix: '/api/admin' }).get(
    '/audit',
    guard.read(({ db, query }) =>
      listAudit(db, {
        cursor: toCursor(query.cursor),
        action: toQueryText(query.action, 'action'),
        actor: toQueryText(query.actor, 'actor'),
        outcome: toQueryText(query.outcome, 'outcome'),
      }),
    ),
  )
