import { Elysia } from 'elysia'
import { isListed } from '../../core/address-list.ts'
import { RaffleError } from '../../core/errors.ts'
import {
  findSession,
  listSessions,
  revokeListed,
  revokeSession,
  revokeSessions,
} from '../../db/admin/sessions.ts'
import type { Deps } from '../deps.ts'
import type { AdminGuard } from './guard.ts'
import { bearerHash } from './token.ts'

/** Who may come in, who has, and how they leave. */
export const sessionRoutes = ({ db }: Pick<Deps, 'db'>, guard: AdminGuard) =>
  new Elysia({ prefix: '/api/admin' })
    .get('/check-access', async ({ request, server, set }) => {
      set.headers['cache-control'] = 'no-store'
      const ip = guard.addressOf(request, server?.requestIP(request)?.address)
      const { allowedIps } = await findSession(db, undefined)
      return { allowed: isListed(allowedIps, ip), ip }
    })
    .get(
      '/me',
      guard.read(({ admin }) => ({ user: { username: admin.username } }), { enrolling: true }),
    )
    .post(
      '/logout',
      guard.entry('logout', {}, async ({ db, request, record }) => {
        const tokenHash = bearerHash(request)
        const { session } = await findSession(db, tokenHash)
        if (session) {
          record({ actor: session.admin.username })
          await revokeSession(db, session.tokenHash)
        }
        return new Response(null, { status: 204, headers: { 'cache-control': 'no-store' } })
      }),
      { parse: 'none' },
    )
    .get(
      '/sessions',
      guard.read(({ db, session }) => listSessions(db, session.tokenHash)),
    )
    .delete(
      '/sessions',
      guard.action('sessions.revoke-all', { enrolling: true }, async ({ db, admin, record }) => {
        const ended = await revokeSessions(db, admin.id)
        record({ after: { ended } })
        return { ended }
      }),
      { parse: 'none' },
    )
    .delete(
      '/sessions/:id',
      guard.action('sessions.revoke', {}, async ({ db, params, record }) => {
        const ended = await revokeListed(db, params.id ?? '')
        if (!ended) throw new RaffleError('NOT_FOUND', '이미 끝난 세션입니다.')
        record({ after: ended })
        return { ended: 1 }
      }),
      { parse: 'none' },
    )
