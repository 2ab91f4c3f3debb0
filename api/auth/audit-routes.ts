import { Elysia } from 'elysia'
import { listAudit } from '../../db/admin/audit.ts'
import type { AdminGuard } from './guard.ts'
import { auditList, auditQuery } from './schema.ts'

/** What administrators did, newest first; the next page starts at the id of the last row. */
export const auditRoutes = (guard: AdminGuard) =>
  new Elysia({ prefix: '/api/admin' }).get(
    '/audit',
    ...guard.read(
      { about: 'What administrators did', query: auditQuery, answer: auditList },
      ({ db, query }) => listAudit(db, query),
    ),
  )
