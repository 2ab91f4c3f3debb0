import { Type as t } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { RaffleError } from '../../core/errors.ts'
import { hashPassword, oneTimePassword } from '../../core/server/password.ts'
import {
  type Admin,
  changeReadOnly,
  createAdmin,
  disableAdmin,
  handOutPassword,
  listAdministrators,
  lockAdministrators,
} from '../../db/admin/admins.ts'
import type { Db } from '../../db/index.ts'
import { exact, refuse } from '../http/schema.ts'
import { flag, idInPath } from '../http/values.ts'
import type { Caller } from './caller.ts'
import { type AdminGuard, expectFull, expectStanding } from './guard.ts'
import { username } from './login-routes.ts'

const adminInPath = idInPath('administrator')

/** Administrators, full or read-only. A password is made here, told once, and good for a day. */
export const adminsRoutes = (guard: AdminGuard) =>
  new Elysia({ prefix: '/api/admin/administrators' })
    .get(
      ...guard.read('', {
        about: 'Administrators',
        run: ({ db, admin }) => listAdministrators(db, admin.id),
      }),
    )
    .post(
      ...guard.action('', {
        action: 'admins.add',
        about: 'Adds an administrator, with a one-time password',
        body: exact({ username: username(refuse), readOnly: t.Optional(flag()) }),
        run: async ({ db, body: { username, readOnly = false }, admin, caller, record }) => {
          const { password, ...stored } = await newPassword()
          const added = await createAdmin(db, { username, readOnly, ...stored })
          if (!added) throw new RaffleError('INVALID_VALUE', { reason: 'usernameTaken', field: 'username' })
          // The row waited for a removal in progress, which may have been the caller's.
          expectFull(await expectStanding(db, caller))
          record({ after: { username, readOnly } })
          return { administrator: await told(db, added.id, admin.id), password }
        },
      }),
    )
    .patch(
      ...guard.action('/:id', {
        action: 'admins.rights',
        about: 'Makes an administrator full or read-only, and ends the sessions of before',
        params: adminInPath,
        body: exact({ readOnly: flag() }),
        refusals: ['WOULD_LOCK_OUT', 'NO_CHANGES'],
        run: async ({ db, params: { id }, body: { readOnly }, admin, caller, record }) => {
          const found = await lockFor(db, caller, id)
          expectPresent(found)
          if (found.readOnly === readOnly) throw new RaffleError('NO_CHANGES', { reason: 'role' })
          await changeReadOnly(db, found, readOnly)
          record({ before: named(found), after: { ...named(found), readOnly } })
          return told(db, id, admin.id)
        },
      }),
    )
    .delete(
      ...guard.action('/:id', {
        action: 'admins.disable',
        about: 'Removes an administrator: sessions end, password and second factor are void',
        params: adminInPath,
        refusals: ['WOULD_LOCK_OUT'],
        run: async ({ db, params: { id }, admin, caller, record }) => {
          const nobodys = await hashPassword(oneTimePassword())
          const found = await lockFor(db, caller, id)
          expectPresent(found)
          await disableAdmin(db, found, nobodys)
          record({ before: named(found), after: { ...named(found), disabled: true } })
          return told(db, id, admin.id)
        },
      }),
    )
    .post(
      ...guard.action('/:id/reset-password', {
        action: 'admins.reset-password',
        about: 'Makes a new one-time password; a removed administrator comes back with it',
        params: adminInPath,
        refusals: ['WOULD_LOCK_OUT'],
        run: async ({ db, params: { id }, admin, caller, record }) => {
          const { password, passwordHash } = await newPassword()
          const found = await lockFor(db, caller, id)
          await handOutPassword(db, found, passwordHash)
          record({
            before: { ...named(found), disabled: found.disabledAt !== null },
            after: { ...named(found), disabled: false, passwordChanged: true },
          })
          return { administrator: await told(db, id, admin.id), password }
        },
      }),
    )

/** Of two who remove each other, the second has no say any more. Throws NOT_FOUND, UNAUTHENTICATED, READ_ONLY. */
async function lockFor(db: Db, caller: Caller, id: number): Promise<Admin> {
  const found = await lockAdministrators(db, id)
  expectFull(await expectStanding(db, caller))
  return found
}

async function newPassword() {
  const password = oneTimePassword()
  return { password, passwordHash: await hashPassword(password), isOneTime: true }
}

const named = ({ username, readOnly }: Admin) => ({ username, readOnly })

function expectPresent({ disabledAt }: Admin): void {
  if (disabledAt) throw new RaffleError('NOT_FOUND', { reason: 'removed' })
}

async function told(db: Db, id: number, own: number) {
  const found = (await listAdministrators(db, own)).find((one) => one.id === id)
  if (!found) throw new RaffleError('NOT_FOUND', { reason: 'administrator' })
  return found
}
