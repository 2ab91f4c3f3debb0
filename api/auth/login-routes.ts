import { Elysia } from 'elysia'
import { RaffleError } from '../../core/errors.ts'
import { hashPassword } from '../../core/server/password.ts'
import { type Admin, changeCredentials, getAdmin } from '../../db/admin/admins.ts'
import { openSession, refreshSession, revokeSessions } from '../../db/admin/sessions.ts'
import { type Fields, onlyFields, toOptionalText, toOtpCode, toText } from '../http/fields.ts'
import type { AdminGuard } from './guard.ts'
import type { Authenticator } from './login.ts'
import { expectStrong } from './password-policy.ts'
import { newToken, sha256Hex } from './token.ts'

/** The door, and what is asked at it again. */
export const loginRoutes = (guard: AdminGuard, { authenticate, checkPassword }: Authenticator) =>
  new Elysia({ prefix: '/api/admin' })
    .post(
      '/login',
      guard.entry('login', { body: loginBody }, async ({ db, body, address, record }) => {
        const admin = await authenticate(body, address, (username) => record({ actor: username }))
        const token = newToken()
        const { id: adminId, passwordHash } = admin
        const session = { tokenHash: sha256Hex(token), adminId, clientAddress: address, passwordHash }
        if (!(await openSession(db, session)))
          throw new RaffleError('INVALID_CREDENTIALS', '사용자명 또는 비밀번호가 올바르지 않습니다.')
        record({ after: { secondFactor: secondFactorOf(body) } })
        return { token }
      }),
      { parse: 'none' },
    )
    .post(
      '/reauth',
      guard.action(
        'reauth',
        {
          body: reauthBody,
          enrolling: true,
          check: async ({ body, admin, address }) => {
            await authenticate({ ...body, username: admin.username }, address).catch(asWrongPassword)
          },
        },
        async ({ db, session }) => {
          await refreshSession(db, session.tokenHash)
          return { fresh: true }
        },
      ),
      { parse: 'none' },
    )
    .patch(
      '/credentials',
      guard.action(
        'credentials',
        {
          body: credentialsBody,
          fresh: true,
          check: async ({ body, admin, address }) => {
            const proof = { username: admin.username, password: body.currentPassword }
            await checkPassword(proof, address).catch(asWrongPassword)
          },
        },
        async ({ db, body: { newUsername, newPassword }, admin, address, record }) => {
          const passwordHash = newPassword && (await hashPassword(newPassword))
          const changed = {
            ...(newUsername && { username: newUsername }),
            ...(passwordHash && { passwordHash }),
          }
          if (!(await changeCredentials(db, admin.id, changed)))
            throw new RaffleError('INVALID_VALUE', 'newUsername: 이미 사용 중인 사용자명입니다.')
          // Whoever holds an old token is out; the caller goes on with a new one.
          await revokeSessions(db, admin.id)
          const changedAdmin = (await getAdmin(db, admin.id)) as Admin
          const { username } = changedAdmin
          const token = newToken()
          await openSession(db, {
            tokenHash: sha256Hex(token),
            adminId: admin.id,
            clientAddress: address,
            passwordHash: changedAdmin.passwordHash,
          })
          record({
            before: { username: admin.username },
            after: { username, passwordChanged: newPassword !== undefined },
          })
          return { user: { username }, token }
        },
      ),
      { parse: 'none' },
    )

function loginBody(fields: Fields) {
  onlyFields(fields, ['username', 'password', 'otpCode', 'recoveryCode'])
  return {
    username: toText(fields.username, 'username', { max: 128, message: '사용자명을 입력하세요' }),
    password: toText(fields.password, 'password', { max: 128, message: '비밀번호를 입력하세요' }),
    otpCode: toOtpCode(fields.otpCode),
    recoveryCode: toOptionalText(fields.recoveryCode, 'recoveryCode', { max: 64 }),
  }
}

function reauthBody(fields: Fields) {
  onlyFields(fields, ['password', 'otpCode'])
  return {
    password: toText(fields.password, 'password', { max: 128, message: '비밀번호를 입력하세요' }),
    otpCode: toOtpCode(fields.otpCode),
  }
}

async function credentialsBody(fields: Fields, admin: { username: string }) {
  onlyFields(fields, ['currentPassword', 'newUsername', 'newPassword'])
  const currentPassword = toText(fields.currentPassword, 'currentPassword', {
    max: 128,
    message: '현재 비밀번호를 입력해주세요',
  })
  const typed = toOptionalText(fields.newUsername, 'newUsername', { max: 128 })
  const newUsername = typed?.trim() || undefined
  if (newUsername && !/^[A-Za-z0-9._@+-]{1,64}$/.test(newUsername))
    throw new RaffleError(
      'INVALID_VALUE',
      'newUsername: 영문, 숫자, . _ @ + - 만 64자까지 사용할 수 있습니다.',
    )
  const newPassword = toOptionalText(fields.newPassword, 'newPassword', {
    max: 128,
    code: 'WEAK_PASSWORD',
    message: '비밀번호는 8자 이상 128자 이하여야 합니다.',
  })
  const isNewName = newUsername !== undefined && newUsername !== admin.username
  if (!isNewName && (!newPassword || newPassword === currentPassword)) throw noChanges()
  if (newPassword) await expectStrong(newPassword, newUsername ?? admin.username)
  return { currentPassword, newUsername, newPassword }
}

const noChanges = () => new RaffleError('NO_CHANGES', '새 사용자명 또는 새 비밀번호를 입력해주세요.')

/** Not 401, which would log the administrator out. */
function asWrongPassword(error: unknown): never {
  if (error instanceof RaffleError && error.code === 'INVALID_CREDENTIALS')
    throw new RaffleError('WRONG_PASSWORD', '현재 비밀번호가 올바르지 않습니다.')
  throw error
}

const secondFactorOf = (body: { otpCode: unknown; recoveryCode: unknown }): string =>
  body.otpCode ? 'code' : body.recoveryCode ? 'recovery code' : 'none'
