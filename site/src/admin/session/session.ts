import { atom } from 'nanostores'
import type { Language } from '../../../../core/admin/language.ts'
import type { Path } from '../../shell/answers.ts'
import { apiBase } from '../../shell/api.ts'
import { showToast } from '../../shell/toast.ts'
import { language } from '../language/language.ts'
import { t } from '../language/t.ts'
import { Cancelled, errorText } from '../ui/error-text.ts'
import { $tab, openTab } from '../ui/tab.ts'
import { AdminError, answerOf, api, type DataOf, type Reply, send, within } from './api.ts'
import { isPutOff, leaveNotice, putOff, readToken, writeToken } from './token.ts'

/** The logged-in administrator; undefined until the server has confirmed the token. */
export const $username = atom<string | undefined>()
/** Sees everything and changes nothing but his own account. The server decides: this only spares a click that it would refuse. */
export const $readOnly = atom(false)
export const isReadOnly = (): boolean => $readOnly.get()
export const readOnlyText = t('읽기 전용 계정은 할 수 없습니다.')
/**
 * Of an administrator with neither OTP nor passkey: `due` closes every tab but the one that sets it up, `asked` may be put off until
 * the next login, as on this machine alone.
 */
export const $enrolment = atom<'done' | 'asked' | 'due'>('done')
/** Logged in with a printed password: only its change works. */
export const $mustChange = atom(false)

export const expiredText = t('인증이 만료되었습니다. 다시 로그인해주세요.')

/** A call that returns a file. */
export type FileCall = { query?: Record<string, string> } & (
  | { method: 'GET'; path: Path<'get'>; body?: undefined }
  | { method: 'POST'; path: Path<'post'>; body?: object }
)

/** `isEnrolling` where the call itself sets up the second factor. */
type SessionRules = { isEnrolling?: boolean }

/**
 * A call of the administrator: a session that has ended leads to the login; an old one asks for the password
 * and then calls again, so this takes a function. Throws AdminError, Cancelled.
 */
export const call = <R extends Reply>(ask: () => Promise<R>, rules?: SessionRules): Promise<DataOf<R>> =>
  inSession(() => answerOf(ask()), rules)

/** As `call`, but returns the response itself, for answers that are not JSON; an administrator's file is in his language. */
export const callFile = ({ method, path, query, body }: FileCall, signal: AbortSignal): Promise<Response> => {
  const isSpoken = language !== 'ko' && path.includes('/export/')
  const asked = `${new URLSearchParams({ ...query, ...(isSpoken && { lang: language }) })}`
  const json = body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
  return inSession(() =>
    send(apiBase + path + (asked && `?${asked}`), { method, ...json, ...within(10 * 60_000, signal).fetch }),
  )
}

/** Asks the server whether this administrator has a second factor, or has to set one up. */
export async function readEnrolment(): Promise<void> {
  const { requireOtp, otpConfirmed, passkeys } = await call(() => api.settings.get())
  if (otpConfirmed || passkeys > 0) return $enrolment.set('done')
  const mayWait = !requireOtp && (await call(() => api.setup.get())).isLocal
  $enrolment.set(!mayWait ? 'due' : isPutOff() ? 'done' : 'asked')
}

export function putOffEnrolment(): void {
  putOff(true)
  $enrolment.set('done')
}

async function inSession<T>(ask: () => Promise<T>, rules: SessionRules = {}): Promise<T> {
  if (!readToken()) {
    toLogin(t('인증 토큰이 없습니다. 다시 로그인해주세요.'))
    throw new Cancelled()
  }
  const token = readToken()
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof AdminError)) throw error
    if (error.code === 'REAUTH_REQUIRED') {
      await askReauth()
      return inSession(ask, rules)
    }
    if (isSessionOver(error)) {
      if (await isReplaced(token)) return inSession(ask, rules)
      toLogin(error.code === 'IP_NOT_ALLOWED' ? t('허용되지 않은 IP 주소입니다.') : expiredText)
      throw new Cancelled()
    }
    if (error.code === 'PASSWORD_CHANGE_REQUIRED') $mustChange.set(true)
    if (error.code === 'OTP_NOT_SET_UP' && !rules.isEnrolling) await readEnrolment().catch(() => undefined)
    throw error
  }
}

let replacing: Promise<unknown> = Promise.resolve()

/** Changes name or password. The server ends every session and names another for this one. */
export const changeCredentials = (body: Parameters<typeof api.credentials.patch>[0]) =>
  inSession(() => {
    const changed = answerOf(api.credentials.patch(body)).then((account) => {
      writeToken(account.token)
      return account
    })
    replacing = changed.catch(() => undefined)
    return changed
  })

/** Whether a call was refused because its token has made way for another, whose arrival is waited for. */
async function isReplaced(token: string | undefined): Promise<boolean> {
  await replacing
  const now = readToken()
  return now !== undefined && now !== token
}

/** Not every 401 ends a session: a wrong code in the dialog is also a 401. */
export const isSessionOver = ({ status, code }: AdminError): boolean =>
  code === 'IP_NOT_ALLOWED' || (status === 401 && (code === undefined || code === 'UNAUTHENTICATED'))

let isLeaving = false

/** The first reason is the one to read: calls under way find no session, too. */
export function toLogin(notice?: string): void {
  if (isLeaving) return
  isLeaving = true
  leave(notice)
}

function leave(notice?: string): void {
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

/**
 * Keeps the administrator's language on the server. Where the page does not know yet who is there, as while the API is away
 * or a printed password has to be changed, a refusal is none: the browser keeps it alone.
 */
export async function saveLanguage(language: Language): Promise<void> {
  try {
    await call(() => api.me.language.patch({ language }))
  } catch (error) {
    if ($username.get() !== undefined || error instanceof Cancelled) throw error
  }
}

/** Logs out even if the server fails: the token is removed from this browser in any case. */
export async function logout(): Promise<void> {
  // Before the server has answered: calls that it refuses meanwhile are no expired session.
  isLeaving = true
  await answerOf(api.logout.post(undefined, within(5_000))).catch(() => undefined)
  leave(t('로그아웃되었습니다.'))
}

/** Shows an error in a toast; a cancelled dialog is not an error. */
export function failed(title: string, error: unknown, otherwise = t('잠시 후 다시 시도해주세요.')): void {
  if (error instanceof Cancelled) return
  const toSetUp = isRefusal(error, 'OTP_NOT_SET_UP') &&
    $tab.get() !== 'security' && { label: t('2단계 인증 설정'), act: () => openTab('security') }
  showToast(title, errorText(error, otherwise), 'bad', toSetUp || undefined)
}

export const isRefusal = (error: unknown, ...codes: string[]): error is AdminError =>
  error instanceof AdminError && codes.includes(error.code ?? '')

/** The field among `names` that a refusal is about; undefined for any other error. */
export const refusedField = <Name extends string>(error: unknown, ...names: Name[]): Name | undefined =>
  error instanceof AdminError ? names.find((name) => name === error.field) : undefined

type Asking = { done: () => void; cancel: () => void }

/** Set while the dialog for a fresh password is open. */
export const $reauth = atom<Asking | undefined>()

let asked: Promise<void> | undefined

/** Resolves once the password was given again; throws Cancelled. Calls at the same time share one dialog. */
function askReauth(): Promise<void> {
  asked ??= new Promise<void>((resolve, reject) => {
    $reauth.set({ done: resolve, cancel: () => reject(new Cancelled()) })
  }).finally(() => {
    asked = undefined
    $reauth.set(undefined)
  })
  return asked
}
