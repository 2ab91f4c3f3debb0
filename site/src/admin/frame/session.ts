import { atom } from 'nanostores'
import type { Path } from '../../shell/answers.ts'
import { apiBase } from '../../shell/api.ts'
import { showToast } from '../../shell/toast.ts'
import { AdminError, answerOf, api, type DataOf, type Reply, send, within } from './api.ts'
import { Cancelled, errorText } from './error-text.ts'
import { askReauth } from './reauth.ts'
import { leaveNotice, readToken, writeToken } from './token.ts'

/** The logged-in administrator; undefined until the server has confirmed the token. */
export const $username = atom<string | undefined>()
/** The server requires a second factor that this administrator has not set up yet. */
export const $mustEnrol = atom(false)

/** No second factor, though none is required: each login asks for one. */
export const $lacksOtp = atom(false)
/** Logged in with a printed password: only its change works. */
export const $mustChange = atom(false)

export const expiredText = '인증이 만료되었습니다. 다시 로그인해주세요.'
export const noTokenText = '인증 토큰이 없습니다. 다시 로그인해주세요.'

/** A call that returns a file. */
export type FileCall =
  | { method: 'GET'; path: Path<'get'>; body?: undefined }
  | { method: 'POST'; path: Path<'post'>; body?: object }

/** `isEnrolling` where the call itself sets up the second factor. */
type SessionRules = { isEnrolling?: boolean }

/**
 * A call of the administrator: a session that has ended leads to the login; an old one asks for the password
 * and then calls again, so this takes a function. Throws AdminError, Cancelled.
 */
export const call = <R extends Reply>(ask: () => Promise<R>, rules?: SessionRules): Promise<DataOf<R>> =>
  inSession(() => answerOf(ask()), rules)

/** As `call`, but returns the response itself, for answers that are not JSON. */
export const callFile = ({ method, path, body }: FileCall, signal: AbortSignal): Promise<Response> => {
  const json = body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
  return inSession(() => send(apiBase + path, { method, ...json, ...within(10 * 60_000, signal).fetch }))
}

async function inSession<T>(ask: () => Promise<T>, rules: SessionRules = {}): Promise<T> {
  if (!readToken()) {
    toLogin(noTokenText)
    throw new Cancelled()
  }
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof AdminError)) throw error
    if (error.code === 'REAUTH_REQUIRED') {
      await askReauth()
      return inSession(ask, rules)
    }
    if (isSessionOver(error)) {
      toLogin(error.code === 'IP_NOT_ALLOWED' ? '허용되지 않은 IP 주소입니다.' : expiredText)
      throw new Cancelled()
    }
    if (error.code === 'PASSWORD_CHANGE_REQUIRED') $mustChange.set(true)
    if (error.code === 'OTP_NOT_SET_UP' && !rules.isEnrolling) $mustEnrol.set(true)
    throw error
  }
}

/** Not every 401 ends a session: a wrong code in the dialog is also a 401. */
export const isSessionOver = ({ status, code }: AdminError): boolean =>
  code === 'IP_NOT_ALLOWED' || (status === 401 && (code === undefined || code === 'UNAUTHENTICATED'))

export function toLogin(notice?: string): void {
  writeToken(undefined)
  if (notice) leaveNotice(notice)
  location.replace('/admin-login')
}

const keepAliveMs = 60_000

/**
 * Automatic requests of the dashboard do not extend the session, so keyboard and pointer input does: at most
 * once a minute.
 */
export function startKeepAlive(): void {
  let last = Date.now()
  const used = () => {
    if (Date.now() - last < keepAliveMs) return
    last = Date.now()
    void call(() => api.me.get()).catch(() => undefined)
  }
  for (const event of ['pointerdown', 'keydown'] as const)
    window.addEventListener(event, used, { passive: true })
}

/** Logs out even if the server fails: the token is removed from this browser in any case. */
export async function logout(): Promise<void> {
  await answerOf(api.logout.post(undefined, within(5_000))).catch(() => undefined)
  toLogin('로그아웃되었습니다.')
}

/** Shows an error in a toast; a cancelled dialog is not an error. */
export function failed(title: string, error: unknown, otherwise = '잠시 후 다시 시도해주세요.'): void {
  if (error instanceof Cancelled) return
  showToast(title, errorText(error, otherwise), 'bad')
}

export const isRefusal = (error: unknown, ...codes: string[]): error is AdminError =>
  error instanceof AdminError && codes.includes(error.code ?? '')

/** The field among `names` that a refusal is about; undefined for any other error. */
export const refusedField = <Name extends string>(error: unknown, ...names: Name[]): Name | undefined =>
  error instanceof AdminError ? names.find((name) => name === error.field) : undefined
