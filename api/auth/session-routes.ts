import { Type as t } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { isListed } from '../../core/address-list.ts'
import { languages } from '../../core/admin/language.ts'
import { RaffleError } from '../../core/errors.ts'
import { changeLanguage, getAdmin } from '../../db/admin/admins.ts'
import {
  adminOfListed,
  findSession,
  listSessions,
  revokeListed,
  revokeSession,
  revokeSessions,
} from '../../db/admin/sessions.ts'
import { getSettings, listAudit } from '../../db/admin/settings.ts'
import { exact, refusal } from '../http/schema.ts'
import { choice, cursor, search } from '../http/values.ts'
import { type AdminGuard, expectFull } from './guard.ts'

const sessionParams = t.Object({
  id: t.String({ pattern: '^[\\w-]{1,64}$', ...refusal('NOT_FOUND', { reason: 'session' }) }),
})

export const sessionRoutes = (guard: AdminGuard) =>
  new Elysia({ prefix: '/api/admin' })
    .get(
      ...guard.look('/check-access', {
        about: 'Whether the address list lets the caller in',
        run: async ({ db, address: ip }) => {
          const { allowedIps } = await getSettings(db)
          return { allowed: isListed(allowedIps, ip), ip }
        },
      }),
    )
    .get(
      ...guard.read('/me', {
        about: 'Whose session it is',
        enrolling: true,
        run: async ({ db, admin: { id, username, readOnly } }) => ({
          user: { username, readOnly, language: (await getAdmin(db, id))?.language ?? null },
        }),
      }),
    )
    .patch(
      ...guard.action('/me/language', {
        action: 'language',
        about: 'Changes the language of the administrator area, of the caller alone',
        body: exact({ language: choice(languages) }),
        enrolling: true,
        own: true,
        fresh: false, // Nothing is opened or moved by it.
        run: async ({ db, body: { language }, admin: { id, username, readOnly }, record }) => {
          record({ before: { language: await changeLanguage(db, id, language) }, after: { language } })
          return { user: { username, readOnly, language } }
        },
      }),
    )
    .post(
      ...guard.entry('/logout', {
        action: 'logout',
        about: 'Ends the session, if there is one',
        also: { 204: 'Done.' },
        run: async ({ db, caller, record }) => {
          const { session } = await findSession(db, caller)
          if (session) {
            record({ actor: session.admin.username })
            await revokeSession(db, session.tokenHash)
          }
          return new Response(null, { status: 204, headers: { 'cache-control': 'no-store' } })
        },
      }),
    )
    .get(
      ...guard.read('/sessions', {
        about: 'Live sessions',
        run: ({ db, session }) => listSessions(db, session.tokenHash),
      }),
    )
    .delete(
      ...guard.action('/sessions', {
        action: 'sessions.revoke-all',
        // To shut somebody out has to be quick.
        about: 'Ends every session',
        enrolling: true,
        own: true,
        fresh: false,
        run: async ({ db, admin, record }) => {
          const ended = await revokeSessions(db, admin.id)
          record({ after: { ended } })
          return { ended }
        },
      }),
    )
    .delete(
      ...guard.action('/sessions/:id', {
        action: 'sessions.revoke',
        about: 'Ends one session; that of another administrator only by a full one',
        params: sessionParams,
        own: true,
        fresh: false, // As above.
        values: async ({ db, params, admin }) => {
          const adminId = await adminOfListed(db, params.id)
          if (adminId !== undefined && adminId !== admin.id) expectFull({ admin })
        },
        run: async ({ db, params, record }) => {
          const ended = await revokeListed(db, params.id)
          if (!ended) throw new RaffleError('NOT_FOUND', { reason: 'session' })
          record({ after: ended })
          return { ended: 1 }
        },
      }),
    )
    // Newest first; `cursor` is the id of the last row of the previous page.
    .get(
      ...guard.read('/audit', {
        about: 'What administrators did',
        query: t.Object({ cursor, action: search, actor: search, outcome: search }),
        run: ({ db, query }) => listAudit(db, query),
      }),
    )
