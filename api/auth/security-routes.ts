import { Elysia } from 'elysia'
import { isListed } from '../../core/address-list.ts'
import { RaffleError } from '../../core/errors.ts'
import type { SecretBox } from '../../core/server/secret-box.ts'
import { countRecoveryCodes, enrolOtp, getAdmin, lockAdmin, setPendingOtp } from '../../db/admin/admins.ts'
import { hasPasskey, listPasskeys } from '../../db/admin/passkeys.ts'
import { revokeSessions } from '../../db/admin/sessions.ts'
import {
  getSettings,
  lockSettings,
  type SecuritySettings,
  saveSettings,
  settingsVersion,
} from '../../db/admin/settings.ts'
import { checkFirstCode, firstCode } from './enrolment.ts'
import type { AdminGuard } from './guard.ts'
import { describeOtp, newOtpSecret, newRecoveryCodes, otpRow } from './otp.ts'
import {
  confirmBody,
  otpSecret,
  recoveryCodes,
  savedSettings,
  securityState,
  settingsBody,
} from './schema.ts'

/** Second factor and address list. */
export const securityRoutes = (guard: AdminGuard, box: SecretBox) =>
  new Elysia({ prefix: '/api/admin' })
    .get(
      '/settings',
      ...guard.read(
        { about: 'Second factor and address list', answer: securityState, enrolling: true },
        async ({ db, admin, address }) => ({
          ...described(await getSettings(db)),
          otpConfirmed: (await getAdmin(db, admin.id))?.otpConfirmedAt !== null,
          passkeys: (await listPasskeys(db, admin.id)).length,
          recoveryCodesLeft: await countRecoveryCodes(db, admin.id),
          ip: address,
        }),
      ),
    )
    .patch(
      '/settings',
      ...guard.action(
        'settings',
        {
          about: 'Changes second factor or address list',
          body: settingsBody,
          answer: savedSettings,
          refusals: ['VERSION_CONFLICT', 'WOULD_LOCK_OUT', 'OTP_NOT_SET_UP'],
          fresh: ({ body }) => body.allowedIps !== undefined || body.requireOtp === false,
        },
        async ({ db, body: { version, ...body }, admin, session, address, second, record }) => {
          const before = await lockSettings(db)
          if (before.requireOtp && body.requireOtp === false) second.want()
          if (body.allowedIps && shutsOut(before.allowedIps, body.allowedIps)) await second.wantIfAny(db)
          if (version !== undefined && version !== settingsVersion(before))
            throw new RaffleError(
              'VERSION_CONFLICT',
              '다른 관리자가 먼저 보안 설정을 바꿨습니다. 새 값을 확인한 뒤 다시 저장해주세요.',
            )
          if (body.allowedIps && !isListed(body.allowedIps, address))
            throw new RaffleError(
              'WOULD_LOCK_OUT',
              `현재 IP(${address})가 목록에 없어 저장하면 접속이 차단됩니다.`,
            )
          const hasSecond = (await getAdmin(db, admin.id))?.otpConfirmedAt || (await hasPasskey(db, admin.id))
          if (body.requireOtp && !hasSecond)
            throw new RaffleError('OTP_NOT_SET_UP', '먼저 OTP를 설정하고 인증 코드로 확인해주세요.')
          await saveSettings(db, body)
          const after = { ...before, ...body }
          if (after.requireOtp !== before.requireOtp) await revokeSessions(db, admin.id, session.tokenHash)
          record({ before, after })
          return described(after)
        },
      ),
    )
    .post(
      '/setup-otp',
      ...guard.action(
        'otp.setup',
        { about: 'Begins to enrol a second factor', answer: otpSecret, fresh: true, enrolling: true },
        async ({ db, admin }) => {
          const secret = newOtpSecret()
          await setPendingOtp(db, admin.id, box.seal(secret, otpRow(admin.id)))
          return describeOtp(secret, admin.username)
        },
      ),
    )
    .post(
      '/otp/confirm',
      ...guard.action(
        'otp.confirm',
        {
          about: 'Enrols it, and answers codes for an emergency',
          body: confirmBody,
          answer: recoveryCodes,
          refusals: ['INVALID_OTP', 'OTP_NOT_SET_UP', 'LOGIN_THROTTLED'],
          fresh: true,
          enrolling: true,
          check: ({ db, body, admin, address: clientAddress }) =>
            checkFirstCode(db, box, body.otpCode, { adminId: admin.id, clientAddress }),
        },
        async ({ db, body, admin, session, record }) => {
          // Of two calls with the same code one finds it used.
          const row = await lockAdmin(db, admin.id)
          const { otpSecret, step } = await firstCode(db, box, admin.id, body.otpCode)
          const { codes, hashes } = newRecoveryCodes()
          await enrolOtp(db, admin.id, { otpSecret, step, codeHashes: hashes })
          await revokeSessions(db, admin.id, session.tokenHash)
          record({ before: { otp: row?.otpConfirmedAt !== null }, after: { otp: true } })
          return { recoveryCodes: codes }
        },
      ),
    )

const described = (settings: SecuritySettings) => ({ ...settings, version: settingsVersion(settings) })

/** Whoever came in by an address that is no longer there could neither refuse nor end a stolen session. */
const shutsOut = (before: readonly string[], after: readonly string[]): boolean =>
  after.length > 0 && (before.length === 0 || before.some((entry) => !after.includes(entry)))
