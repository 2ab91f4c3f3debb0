import { Type as t } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { exactKey, isListed, toListEntry } from '../../core/address-list.ts'
import { setupOf } from '../../core/admin/setup.ts'
import { RaffleError } from '../../core/errors.ts'
import { mostLetters } from '../../core/event/ranges.ts'
import type { SecretBox } from '../../core/server/secrets.ts'
import {
  enrolOtp,
  getAdmin,
  getPendingOtp,
  lockAdmin,
  replaceRecoveryCodes,
  setPendingOtp,
} from '../../db/admin/admins.ts'
import { listPasskeys, type Passkey, removePasskey } from '../../db/admin/passkeys.ts'
import { revokeSessions } from '../../db/admin/sessions.ts'
import {
  getSettings,
  readSetup,
  type SecuritySettings,
  saveSettings,
  settingsVersion,
} from '../../db/admin/settings.ts'
import { getBranding } from '../../db/house/branding.ts'
import type { Db } from '../../db/index.ts'
import { siteName } from '../../site/src/event/served-brand.ts'
import { type Deps, isLocalMode } from '../deps.ts'
import type { SiteOrigins } from '../http/origin.ts'
import { exact, invalid, orIfEmpty, read, refusal } from '../http/schema.ts'
import { flag, idInPath, text, words } from '../http/values.ts'
import type { AdminGuard } from './guard.ts'
import { bytesText, sixDigits, wrongCode as wrongForm } from './login-routes.ts'
import { describeOtp, newOtpSecret, newRecoveryCodes, otpRow, otpStep, wrongCode } from './otp.ts'
import { askForNewPasskey, storeNewPasskey } from './passkey.ts'

const newPasskeyBody = exact({
  name: words(mostLetters.passkeyName),
  id: bytesText(1_400),
  clientDataJSON: bytesText(2_000),
  attestationObject: bytesText(8_000),
  transports: t.Array(t.String({ pattern: '^[a-z-]{1,20}$', ...invalid }), { maxItems: 8, ...invalid }),
})

const maxEntries = 100
const settingsBody = exact(
  {
    requireOtp: t.Optional(flag()),
    allowedIps: t.Optional(
      read(
        t.Array(read(t.String(refusal('INVALID_IP')), toListEntry), {
          maxItems: maxEntries,
          ...refusal('INVALID_VALUE', { reason: 'addresses', values: { most: maxEntries } }),
        }),
        (entries) => [...new Set(entries)],
      ),
    ),
    version: t.Optional(text({ max: 16 })),
  },
  { someOf: ['requireOtp', 'allowedIps'] },
)

export const securityRoutes = (deps: Deps, guard: AdminGuard, box: SecretBox) => {
  const isLocal = isLocalMode(deps)
  // Apart from those of logins, in whose way they do not stand.
  const firstCodes = deps.limits({ name: 'first code', calls: 5, inSeconds: 900, code: 'LOGIN_THROTTLED' })
  return new Elysia({ prefix: '/api/admin' })
    .get(
      ...guard.read('/settings', {
        about: 'Second factor and address list',
        enrolling: true,
        run: async ({ db, admin, address }) => {
          const row = await getAdmin(db, admin.id)
          return {
            ...described(await getSettings(db)),
            otpConfirmed: row?.otpConfirmedAt !== null,
            passkeys: (await listPasskeys(db, admin.id)).length,
            recoveryCodesLeft: row?.recoveryHashes.length ?? 0,
            ip: address,
          }
        },
      }),
    )
    .patch(
      ...guard.action('/settings', {
        action: 'settings',
        about: 'Changes second factor or address list',
        body: settingsBody,
        refusals: ['WOULD_LOCK_OUT', 'OTP_NOT_SET_UP'],
        run: async ({ db, body: { version, ...body }, admin, session, address, record }) => {
          const before = await getSettings(db, true)
          if (version !== undefined && version !== settingsVersion(before))
            throw new RaffleError('VERSION_CONFLICT')
          if (body.allowedIps && !isListed(body.allowedIps, address))
            throw new RaffleError('WOULD_LOCK_OUT', { reason: 'address', values: { address } })
          if (body.requireOtp && !session.hasSecondFactor)
            throw new RaffleError('OTP_NOT_SET_UP', { reason: 'confirm' })
          await saveSettings(db, body)
          const after = { ...before, ...body }
          if (after.requireOtp !== before.requireOtp) await revokeSessions(db, admin.id, session.tokenHash)
          record({ before, after })
          return described(after)
        },
      }),
    )
    .post(
      ...guard.action('/setup-otp', {
        action: 'otp.setup',
        about: 'Begins to enrol a second factor',
        own: true,
        enrolling: true,
        run: async ({ db, admin }) => {
          const secret = newOtpSecret()
          await setPendingOtp(db, admin.id, box.seal(secret, otpRow(admin.id)))
          return describeOtp(secret, siteName(await getBranding(db)), admin.username)
        },
      }),
    )
    .post(
      ...guard.action('/otp/confirm', {
        action: 'otp.confirm',
        about: 'Enrols it, and answers codes for an emergency',
        body: exact({ otpCode: sixDigits(orIfEmpty(wrongForm, 'empty')) }),
        refusals: ['INVALID_OTP', 'OTP_NOT_SET_UP', 'LOGIN_THROTTLED'],
        own: true,
        enrolling: true,
        check: async ({ db, body, admin }) => {
          const own = [exactKey(`${admin.id}`)]
          await firstCodes.admitKeys(own)
          await firstCode(db, box, admin.id, body.otpCode)
          await firstCodes.giveBack(own)
        },
        run: async ({ db, body, admin, session, record }) => {
          // Of two calls with the same code one finds it used.
          const row = await lockAdmin(db, admin.id)
          const { otpSecret, step } = await firstCode(db, box, admin.id, body.otpCode)
          const { codes, hashes } = newRecoveryCodes()
          await enrolOtp(db, admin.id, { otpSecret, step, codeHashes: hashes })
          await revokeSessions(db, admin.id, session.tokenHash)
          record({ before: { otp: row?.otpConfirmedAt !== null }, after: { otp: true } })
          return { recoveryCodes: codes }
        },
      }),
    )
    .get(
      ...guard.read('/setup', {
        about: 'What of the first set-up is done',
        more: 'For the administrator who asks: password and second factor are those of this one.',
        background: true,
        // Nothing is ticked off here: a step is done when it is done.
        run: async ({ db, admin }) => {
          const { isDone, isFirst } = await readSetup(db, admin.id)
          return { isLocal, steps: setupOf(isDone, { isLocal, isFirst }) }
        },
      }),
    )
}

const described = (settings: SecuritySettings) => ({ ...settings, version: settingsVersion(settings) })

/** The secret that waits for its first code, as it is stored, and that code's time step. Throws
 * OTP_NOT_SET_UP, INVALID_OTP. */
async function firstCode(db: Db, box: SecretBox, adminId: number, code: string) {
  const otpSecret = await getPendingOtp(db, adminId)
  const pending = otpSecret && box.open(otpSecret, otpRow(adminId))
  if (!otpSecret || !pending) throw new RaffleError('OTP_NOT_SET_UP', { reason: 'begin' })
  const step = await otpStep(db, pending, code)
  if (step === undefined) throw wrongCode()
  return { otpSecret, step }
}

const mostPasskeys = 10

/** One's own passkeys: second factors in place of the code of an app. */
export const passkeyRoutes = (guard: AdminGuard, originOf: SiteOrigins['originOf']) =>
  new Elysia({ prefix: '/api/admin/passkeys' })
    .get(
      ...guard.read('', {
        about: 'Passkeys of the caller',
        enrolling: true,
        run: async ({ db, admin }) => (await listPasskeys(db, admin.id)).map(told),
      }),
    )
    .post(
      ...guard.action('/options', {
        action: 'passkey.setup',
        about: 'What a device makes a passkey for',
        own: true,
        enrolling: true,
        run: async (call) => {
          const { db, admin, session } = call
          if ((await listPasskeys(db, admin.id)).length >= mostPasskeys) throw tooMany()
          const ask = { adminId: admin.id, purpose: 'add', boundTo: session.tokenHash } as const
          const names = { rpName: siteName(await getBranding(db)), username: admin.username }
          return askForNewPasskey(db, { ...ask, origin: originOf(call) }, names)
        },
      }),
    )
    .post(
      ...guard.action('', {
        action: 'passkey.add',
        about: 'Registers it, and answers codes for an emergency where there are none',
        body: newPasskeyBody,
        refusals: ['INVALID_PASSKEY'],
        own: true,
        enrolling: true,
        run: async (call) => {
          const { db, body, admin, session, record } = call
          const row = await lockAdmin(db, admin.id)
          if ((await listPasskeys(db, admin.id)).length >= mostPasskeys) throw tooMany()
          const ask = { adminId: admin.id, purpose: 'add', boundTo: session.tokenHash } as const
          const added = await storeNewPasskey(db, { ...ask, origin: originOf(call) }, body)
          if (!added) throw new RaffleError('INVALID_PASSKEY')
          const needsCodes = row?.otpConfirmedAt === null && row.recoveryHashes.length === 0
          const made = needsCodes ? newRecoveryCodes() : undefined
          if (made) await replaceRecoveryCodes(db, admin.id, made.hashes)
          await revokeSessions(db, admin.id, session.tokenHash)
          record({ after: { name: added.name, site: added.rpId } })
          return { passkey: told(added), recoveryCodes: made?.codes ?? null }
        },
      }),
    )
    .delete(
      ...guard.action('/:id', {
        action: 'passkey.remove',
        about: 'Removes one',
        params: idInPath('passkey'),
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
