import { Elysia } from 'elysia'
import { isListed } from '../../core/address-list.ts'
import { RaffleError } from '../../core/errors.ts'
import { listAudit } from '../../db/admin/audit.ts'
import {
  findSession,
  listSessions,
  revokeListed,
  revokeSession,
  revokeSessions,
} from '../../db/admin/sessions.ts'
import type { Deps } from '../deps.ts'
import type { AdminGuard } from './guard.ts'
import {
  accessAnswer,
  auditList,
  auditQuery,
  endedAnswer,
  sessionList,
  sessionParams,
  userAnswer,
} from './schema.ts'
import { bearerHash } from './token.ts'

/** Address check, sessions, logout, and the audit log of what administrators did. */
export const sessionRoutes = ({ db }: Pick<Deps, 'db'>, guard: AdminGuard) =>
  new Elysia({ prefix: '/api/admin' })
    .get(
      '/check-access',
      ...guard.look(
        { about: 'Whether the address list lets the caller in', answer: accessAnswer },
        async ({ address: ip }) => {
          const { allowedIps } = await findSession(db, undefined)
          return { allowed: isListed(allowedIps, ip), ip }
        },
      ),
    )
    .get(
      '/me',
      ...guard.read({ about: 'Whose session it is', answer: userAnswer, enrolling: true }, ({ admin }) => ({
        user: { username: admin.username },
      })),
    )
    .post(
      '/logout',
      ...guard.entry(
        'logout',
        { about: 'Ends the session, if there is one', also: { 204: 'Done.' } },
        async ({ db, request, record }) => {
          const tokenHash = bearerHash(request)
          const { session } = await findSession(db, tokenHash)
          if (session) {
            record({ actor: session.admin.username })
            await revokeSession(db, session.tokenHash)
          }
          return new Response(null, { status: 204, headers: { 'cache-control': 'no-store' } })
        },
      ),
    )
    .get(
      '/sessions',
      ...guard.read({ about: 'Live sessions', answer: sessionList }, ({ db, session }) =>
        listSessions(db, session.tokenHash),
      ),
    )
    .delete(
      '/sessions',
      ...guard.action(
        'sessions.revoke-all',
        { about: 'Ends every session', answer: endedAnswer, enrolling: true },
        async ({ db, admin, record }) => {
          const ended = await revokeSessions(db, admin.id)
          record({ after: { ended } })
          return { ended }
        },
      ),
    )
    .delete(
      '/sessions/:id',
      ...guard.action(
        'sessions.revoke',
        { about: 'Ends one session', params: sessionParams, answer: endedAnswer, refusals: ['NOT_FOUND'] },
        async ({ db, params, record }) => {
          const ended = await revokeListed(db, params.id)
          if (!ended) throw new RaffleError('NOT_FOUND', '이미 끝난 세션입니다.')
          record({ after: ended })
          return { ended: 1 }
        },
      ),
    )
    // Newest first; `cursor` is the id of the last row of the previous page.
    .get(
      '/audit',
      ...guard.read(
        { about: 'What administrators did', query: auditQuery, answer: auditList },
        ({ db, query }) => listAudit(db, query),
      ),
    )
