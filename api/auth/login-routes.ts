import { Type as t } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { DetailsOf } from '../../core/errors.ts'
import { RaffleError } from '../../core/errors.ts'
import {
  hashPassword,
  maxPasswordLength,
  minPasswordLength,
  weaknessOfPassword,
} from '../../core/server/password.ts'
import { typedCode } from '../../core/typed-code.ts'
import { changeCredentials, getAdmin } from '../../db/admin/admins.ts'
import { openSession, refreshSession, renewToken, revokeSessions } from '../../db/admin/sessions.ts'
import type { SiteOrigins } from '../http/origin.ts'
import type { Decoded } from '../http/schema.ts'
import { exact, invalid, optional, type Refusal, read, refusal, refuse } from '../http/schema.ts'
import { text } from '../http/values.ts'
import {
  type AdminAdmission,
  type BrowserCookie,
  type Caller,
  isOwnPage,
  newToken,
  sha256Hex,
} from './caller.ts'
import type { AdminGuard } from './guard.ts'
import type { Authenticator } from './login.ts'
import { askForPasskey } from './passkey.ts'

export const bytesText = (max: number) =>
  t.String({
    pattern: `^[A-Za-z0-9_-]{1,${max}}$`,
    ...invalid,
  })

const passkeyProof = exact({
  id: bytesText(1_400),
  clientDataJSON: bytesText(2_000),
  authenticatorData: bytesText(2_000),
  signature: bytesText(2_000),
})
export const wrongCode = refusal('INVALID_OTP_FORMAT', { reason: 'code' })
/** Six digits, as people paste them. */
export const sixDigits = (kind: Refusal = wrongCode) =>
  read(t.String({ maxLength: 64, ...kind }), (value) => {
    const code = typedCode(value)
    return /^\d{6}$/.test(code) ? code : refuse()
  })
const atMost = (most: number) => ({
  maxLength: most,
  ...refusal('INVALID_VALUE', { reason: 'text', values: { most } }),
})
const password = text({ max: 128, kind: refusal('INVALID_VALUE', { reason: 'password' }) })

/** Trimmed; not the name that the audit list has for who has none. The command line's has a colon, which no name has. */
export const username = <T>(ifBlank: () => T) =>
  read(
    text({ max: 128, kind: refusal('INVALID_VALUE', { reason: 'usernameForm' }) }),
    (value): string | T => {
      const name = value.trim()
      if (name === '') return ifBlank()
      return /^[A-Za-z0-9._@+-]{1,64}$/.test(name) && name.toLowerCase() !== 'anonymous' ? name : refuse()
    },
  )

const passwordOf = {
  username: text({ max: 128, kind: refusal('INVALID_VALUE', { reason: 'username' }) }),
  password,
}
const loginBody = exact({
  ...passwordOf,
  otpCode: optional(sixDigits()),
  recoveryCode: optional(read(t.String(atMost(128)), typedCode)),
  passkey: t.Optional(passkeyProof),
})
const reauthBody = exact({ password, otpCode: optional(sixDigits()), passkey: t.Optional(passkeyProof) })

const weakLength = {
  reason: 'length',
  values: { least: minPasswordLength, most: maxPasswordLength },
} satisfies DetailsOf<'WEAK_PASSWORD'>
const credentialsBody = exact({
  currentPassword: text({ max: 128, kind: refusal('INVALID_VALUE', { reason: 'currentPassword' }) }),
  /** Trimmed; blank counts as left out. */
  newUsername: optional(username(() => undefined)),
  newPassword: optional(text({ max: maxPasswordLength, kind: refusal('WEAK_PASSWORD', weakLength) })),
})

type Browsers = Pick<AdminAdmission, 'remember'> & Pick<SiteOrigins, 'originOf'> & { cookie: BrowserCookie }

export const loginRoutes = (
  guard: AdminGuard,
  { remember, cookie, originOf }: Browsers,
  { authenticate, checkPassword }: Authenticator,
) =>
  new Elysia({ prefix: '/api/admin' })
    .post(
      ...guard.entry('/login', {
        action: 'login',
        about: 'Opens a session',
        body: loginBody,
        refusals: [
          'INVALID_CREDENTIALS',
          'OTP_REQUIRED',
          'INVALID_OTP',
          'INVALID_PASSKEY',
          'LOGIN_THROTTLED',
        ],
        run: async (call) => {
          const { db, body, address, caller, request, record } = call
          const isBrowser = isOwnPage(request)
          const { passkey: answered, ...rest } = body
          const proof = {
            ...rest,
            ...(answered && { passkey: { proof: answered, ask: loginAsk(caller, originOf(call)) } }),
          }
          const { admin, secondFactor } = await authenticate(proof, caller, (username) =>
            record({ actor: username }),
          )
          const token = newToken()
          const { id: adminId, passwordHash } = admin
          // A browser that is known keeps its cookie: the sessions of its other tabs live on.
          const browser = caller.of.length === 0 ? newToken() : (cookie.of(request) ?? newToken())
          const session = {
            tokenHash: sha256Hex(token),
            adminId,
            clientAddress: address,
            passwordHash,
            isProven: secondFactor !== 'none',
            browserHash: isBrowser ? sha256Hex(browser) : null,
          }
          if (!(await openSession(db, session))) throw new RaffleError('INVALID_CREDENTIALS')
          record({ after: { secondFactor } })
          if (isBrowser) call.setCookie(cookie.set(browser))
          await remember()
          return { token }
        },
      }),
    )
    // What the login asks for besides the password; told to who has it.
    .post(
      ...guard.entry('/login/passkey', {
        action: 'login.passkey',
        about: 'What a passkey signs for a login with this password',
        body: exact(passwordOf),
        refusals: ['INVALID_CREDENTIALS', 'LOGIN_THROTTLED'],
        run: async (call) => {
          const { db, body, caller, record } = call
          const { id: adminId, otpConfirmedAt } = await checkPassword(body, caller, (username) =>
            record({ actor: username }),
          )
          const options = await askForPasskey(db, { adminId, ...loginAsk(caller, originOf(call)) })
          return { passkey: options ?? null, otp: otpConfirmedAt !== null }
        },
      }),
    )
    .post(
      ...guard.action('/reauth/passkey', {
        action: 'passkey.ask',
        about: 'What a passkey signs in place of a code',
        enrolling: true,
        renewing: true,
        own: true,
        fresh: false, // It is how one becomes fresh.
        run: async (call) => {
          const { db, admin, session } = call
          const ask = { adminId: admin.id, purpose: 'reauth', boundTo: session.tokenHash } as const
          const options = await askForPasskey(db, { ...ask, origin: originOf(call) })
          const otp = (await getAdmin(db, admin.id))?.otpConfirmedAt != null
          return { passkey: options ?? null, otp }
        },
      }),
    )
    .post(
      ...guard.action('/reauth', {
        action: 'reauth',
        about: 'Gives password and code again, for what asks for them',
        body: reauthBody,
        refusals: ['INVALID_PASSKEY'],
        enrolling: true,
        renewing: true,
        own: true,
        fresh: false, // As above.
        check: async (call) => {
          const { body, admin, caller, session, record } = call
          const { passkey: answered, ...rest } = body
          const ask = { purpose: 'reauth', boundTo: session.tokenHash, origin: originOf(call) } as const
          const proof = {
            ...rest,
            ...(answered && { passkey: { proof: answered, ask } }),
            username: admin.username,
          }
          const { secondFactor } = await authenticate(proof, caller).catch(asWrongPassword)
          record({ after: { secondFactor } })
        },
        run: async ({ db, session }) => {
          await refreshSession(db, session.tokenHash)
          return { fresh: true }
        },
      }),
    )
    .patch(
      ...guard.action('/credentials', {
        action: 'credentials',
        about: 'Changes username or password; ends every other session',
        body: credentialsBody,
        refusals: ['WRONG_PASSWORD'],
        renewing: true,
        own: true,
        values: ({ body, admin, session }) => expectNews(body, admin.username, session.mustChangePassword),
        check: async ({ body, admin, caller }) => {
          const proof = { username: admin.username, password: body.currentPassword }
          await checkPassword(proof, caller).catch(asWrongPassword)
        },
        run: async ({ db, body: { newUsername, newPassword }, admin, session, record }) => {
          const passwordHash = newPassword && (await hashPassword(newPassword))
          const changed = {
            ...(newUsername && { username: newUsername }),
            ...(passwordHash && { passwordHash }),
          }
          if (!(await changeCredentials(db, admin.id, changed)))
            throw new RaffleError('INVALID_VALUE', { reason: 'usernameTaken', field: 'newUsername' })
          // Every old token ends; the caller continues with a new one.
          await revokeSessions(db, admin.id, session.tokenHash)
          const token = newToken()
          await renewToken(db, session.tokenHash, sha256Hex(token))
          const username = newUsername ?? admin.username
          record({
            before: { username: admin.username },
            after: { username, passwordChanged: newPassword !== undefined },
          })
          return { user: { username }, token }
        },
      }),
    )

/** A challenge of the login is answered by the browser that asked, or from its address where that is not known. */
const loginAsk = ({ browserHash, keys }: Caller, origin: string) => ({
  purpose: 'login' as const,
  boundTo: browserHash ?? keys.stranger[0]?.key ?? '',
  origin,
})

type Credentials = Decoded<typeof credentialsBody>

/** Throws PASSWORD_CHANGE_REQUIRED, NO_CHANGES, WEAK_PASSWORD. */
async function expectNews(body: Credentials, username: string, mustChange: boolean): Promise<void> {
  const { currentPassword, newUsername = username, newPassword } = body
  if (mustChange && (!newPassword || newPassword === currentPassword))
    throw new RaffleError('PASSWORD_CHANGE_REQUIRED', { reason: 'same', field: 'newPassword' })
  if (newUsername === username && (!newPassword || newPassword === currentPassword))
    throw new RaffleError('NO_CHANGES', { reason: 'account' })
  const weakness = newPassword && (await weaknessOfPassword(newPassword, newUsername))
  if (weakness)
    throw new RaffleError('WEAK_PASSWORD', weakness === 'length' ? weakLength : { reason: weakness })
}

/** Not a 401, which would log the administrator out. */
function asWrongPassword(error: unknown): never {
  if (error instanceof RaffleError && error.code === 'INVALID_CREDENTIALS')
    throw new RaffleError('WRONG_PASSWORD')
  throw error
}
