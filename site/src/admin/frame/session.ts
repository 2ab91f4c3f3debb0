import { atom } from 'nanostores'
import { showToast } from '../../shell/toast.ts'
import { AdminError, ask, type CallOptions, type Method, readAnswer, refusalOf } from './api.ts'
import { Cancelled, errorText } from './error-text.ts'
import { askReauth } from './reauth.ts'
import { leaveNotice, readToken, writeToken } from './token.ts'

/** Who is logged in; undefined until the server has said so. */
export const $username = atom<string | undefined>()
/** The server asks for a second factor that this administrator has yet to set up. */
export const $mustEnrol = atom(false)

export const expiredText = '인증이 만료되었습니다. 다시 로그인해주세요.'
export const noTokenText = '인증 토큰이 없습니다. 다시 로그인해주세요.'

/** A call of the administrator: a session that ended leads to the login, an old one asks for the password. */
export async function call<T>(method: Method, path: string, options: CallOptions = {}): Promise<T> {
  return readAnswer<T>(await callRaw(method, path, options))
}

/** As `call`, with the answer itself, for what is no JSON. Throws AdminError, Cancelled. */
export async function callRaw(method: Method, path: string, options: CallOptions = {}): Promise<Response> {
  if (!readToken()) {
    toLogin(noTokenText)
    throw new Cancelled()
  }
  const response = await ask(method, path, options)
  if (response.ok) return response
  const error = await refusalOf(response)
  if (error.code === 'REAUTH_REQUIRED') {
    await askReauth()
    return callRaw(method, path, options)
  }
  if (isSessionOver(error)) {
    toLogin(error.code === 'IP_NOT_ALLOWED' ? '허용되지 않은 IP 주소입니다.' : expiredText)
    throw new Cancelled()
  }
  if (error.code === 'OTP_NOT_SET_UP' && !path.endsWith('/otp/confirm')) $mustEnrol.set(true)
  throw error
}

/** Not every 401 ends a session: a wrong code in the dialog is one too. */
export const isSessionOver = ({ status, code }: AdminError): boolean =>
  code === 'IP_NOT_ALLOWED' || (status === 401 && (code === undefined || code === 'UNAUTHENTICATED'))

export function toLogin(notice?: string): void {
  writeToken(undefined)
  if (notice) leaveNotice(notice)
  location.replace('/admin-login')
}

/** Leaves whatever the server says: the token is gone from here either way. */
export async function logout(): Promise<void> {
  await ask('POST', '/api/admin/logout', { timeoutMs: 5_000 }).catch(() => undefined)
  toLogin('로그아웃되었습니다.')
}

/** Says in a toast what went wrong; a cancelled dialog is no error. */
export function failed(title: string, error: unknown, otherwise = '잠시 후 다시 시도해주세요.'): void {
  if (error instanceof Cancelled) return
  showToast(title, errorText(error, otherwise), 'bad')
}

export const isRefusal = (error: unknown, ...codes: string[]): error is AdminError =>
  error instanceof AdminError && codes.includes(error.code ?? '')
