import { Elysia } from 'elysia'
import { RaffleError } from '../../core/errors.ts'
import { countRecoveryCodes, lockAdmin, replaceRecoveryCodes } from '../../db/admin/admins.ts'
import { listPasskeys, type Passkey, removePasskey } from '../../db/admin/passkeys.ts'
import { revokeSessions } from '../../db/admin/sessions.ts'
import type { SiteOrigins } from '../http/site-origins.ts'
import type { AdminGuard } from './guard.ts'
import { newRecoveryCodes } from './otp.ts'
import { askForNewPasskey, storeNewPasskey } from './passkey.ts'
import {
  addedPasskey,
  creationOptions,
  newPasskeyBody,
  passkey,
  passkeyInPath,
  passkeyList,
} from './schema.ts'

const mostPasskeys = 10

/** One's own passkeys: second factors in place of the code of an app. */
export const passkeyRoutes = (guard: AdminGuard, originOf: SiteOrigins['originOf']) =>
  new Elysia({ prefix: '/api/admin/passkeys' })
    .get(
      '',
      ...guard.read({
        about: 'Passkeys of the caller',
        answer: passkeyList,
        enrolling: true,
        run: async ({ db, admin }) => (await listPasskeys(db, admin.id)).map(told),
      }),
    )
    .post(
      '/options',
      ...guard.action({
        action: 'passkey.setup',
        about: 'What a device makes a passkey for',
        answer: creationOptions,
        refusals: ['MISDIRECTED'],
        own: true,
        enrolling: true,
        run: async (call) => {
          const { db, admin, session } = call
          if ((await listPasskeys(db, admin.id)).length >= mostPasskeys) throw tooMany()
          const ask = { adminId: admin.id, purpose: 'add', boundTo: session.tokenHash } as const
          return { ...(await askForNewPasskey(db, { ...ask, origin: originOf(call) }, admin.username)) }
        },
      }),
    )
    .post(
      '',
      ...guard.action({
        action: 'passkey.add',
        about: 'Registers it, and answers codes for an emergency where there are none',
        body: newPasskeyBody,
        answer: addedPasskey,
        refusals: ['INVALID_PASSKEY', 'MISDIRECTED'],
        own: true,
        enrolling: true,
        run: async (call) => {
          const { db, body, admin, session, record } = call
          const row = await lockAdmin(db, admin.id)
          if ((await listPasskeys(db, admin.id)).length >= mostPasskeys) throw tooMany()
          const ask = { adminId: admin.id, purpose: 'add', boundTo: session.tokenHash } as const
          const added = await storeNewPasskey(db, { ...ask, origin: originOf(call) }, body)
          if (!added) throw new RaffleError('INVALID_PASSKEY')
          const needsCodes = row?.otpConfirmedAt === null && (await countRecoveryCodes(db, admin.id)) === 0
          const made = needsCodes ? newRecoveryCodes() : undefined
          if (made) await replaceRecoveryCodes(db, admin.id, made.hashes)
          await revokeSessions(db, admin.id, session.tokenHash)
          record({ after: { name: added.name, site: added.rpId } })
          return { passkey: told(added), recoveryCodes: made?.codes ?? null }
        },
      }),
    )
    .delete(
      '/:id',
      ...guard.action({
        action: 'passkey.remove',
        about: 'Removes one',
        params: passkeyInPath,
        answer: passkey,
        refusals: ['NOT_FOUND'],
        own: true,
        run: async ({ db, params: { id }, admin, session, record }) => {
          await lockAdmin(db, admin.id)
          const removed = await removePasskey(db, admin.id, id)
          if (!removed) throw new RaffleError('NOT_FOUND', { reason: 'passkey' })
          await revokeSessions(db, admin.id, session.tokenHash)
          record({ before: { name: removed.name, site: removed.rpId } })
          return told(removed)
        },
      }),
    )

const tooMany = () => new RaffleError('INVALID_VALUE', { reason: 'passkeys', values: { most: mostPasskeys } })

const told = ({ id, name, rpId: site, createdAt, lastUsedAt }: Passkey) => ({
  id,
  name,
  site,
  createdAt: createdAt.toISOString(),
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
})
