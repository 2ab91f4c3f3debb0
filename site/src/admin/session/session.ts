import { treaty } from '@elysiajs/eden/treaty2'
import { atom } from 'nanostores'
import type { Language } from '../../../../core/admin/language.ts'
import type { ErrorValues } from '../../../../core/errors.ts'
import type { Answer, Path, Server } from '../../shell/answers.ts'
import { apiBase } from '../../shell/api.ts'
import { showToast } from '../../shell/toast.ts'
import { language, t } from '../language/t.ts'
import { Cancelled, errorText } from '../ui/error-text.ts'
import { $tab, openTab } from '../ui/tab.ts'
import { isPutOff, leaveNotice, readToken, writeToken } from './token.ts'

export const $username = atom<string | undefined>()
/** Sees everything and changes nothing but his own account. The server decides: this only spares a click that it would refuse. */
export const $readOnly = atom(false)
export const isReadOnly = (): boolean => $readOnly.get()
export const readOnlyText = t('읽기 전용 계정은 할 수 없습니다.')
/** No second factor: `due` closes every tab but the one that sets it up, `asked` may wait until the next login. */
export const $enrolment = atom<'done' | 'asked' | 'due'>('done')
export const $mustChange = atom(false)

export const expiredText = t('인증이 만료되었습니다. 다시 로그인해주세요.')

export type FileCall = { query?: Record<string, string> } & (
  | { method: 'GET'; path: Path<'get'>; body?: undefined }
  | { method: 'POST'; path: Path<'post'>; body?: object }
)

/** `isEnrolling` where the call itself sets up the second factor. */
type SessionRules = { isEnrolling?: boolean }

/** An ended session leads to the login; an old one asks for the password, then again. Throws AdminError, Cancelled. */
export const call = <R extends Reply>(ask: () => Promise<R>, rules?: SessionRules): Promise<DataOf<R>> =>
  inSession(() => answerOf(ask()), rules)

/** As `call`, but returns the response itself, for answers that are not JSON; an administrator's file is in his language. */
export const callFile = ({ method, path, query, body }: FileCall): Promise<Response> => {
  const isSpoken = language !== 'ko' && path.includes('/export/')
  const asked = `${new URLSearchParams({ ...query, ...(isSpoken && { lang: language }) })}`
  const json = body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
  return inSession(() =>
    send(apiBase + path + (asked && `?${asked}`), { method, ...json, ...within(10 * 60_000).fetch }),
  )
}

export async function readEnrolment(): Promise<void> {
  const { requireOtp, otpConfirmed, passkeys } = await call(() => api.settings.get())
  if (otpConfirmed || passkeys > 0) return $enrolment.set('done')
  const mayWait = !requireOtp && (await call(() => api.setup.get())).isLocal
  $enrolment.set(!mayWait ? 'due' : isPutOff() ? 'done' : 'asked')
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

/** The dashboard's own requests do not extend the session, so keyboard and pointer do: at most once a minute. */
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

/** On the server; while the page does not know who is there, a refusal is none: the browser keeps the language alone. */
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

export function failed(title: string, error: unknown, otherwise = t('잠시 후 다시 시도해주세요.')): void {
  if (error instanceof Cancelled) return
  const toSetUp = isRefusal(error, 'OTP_NOT_SET_UP') &&
    $tab.get() !== 'security' && { label: t('2단계 인증 설정'), act: () => openTab('security') }
  showToast(title, errorText(error, otherwise), 'bad', toSetUp || undefined)
}

export const isRefusal = (error: unknown, ...codes: string[]): error is AdminError =>
  error instanceof AdminError && codes.includes(error.code ?? '')

export const $reauth = atom<{ done: () => void; cancel: () => void } | undefined>()

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

const fieldOf: Record<string, string> = { WRONG_PASSWORD: 'currentPassword', WEAK_PASSWORD: 'newPassword' }

/** A refused call. The message is the status, a colon, and the body's text. */
export class AdminError extends Error {
  override name = 'AdminError'
  readonly status: number
  readonly code: string | undefined
  readonly field: string | undefined
  readonly values: ErrorValues
  readonly text: string | undefined

  constructor(status: number, body: string) {
    super(`${status}: ${body}`)
    const { code, error, field, values } = parse(body)
    this.status = status
    this.code = textOrNothing(code)
    this.field = textOrNothing(field) ?? fieldOf[this.code ?? '']
    this.values = typeof values === 'object' && values !== null ? (values as ErrorValues) : {}
    this.text = textOrNothing(error)
  }
}

/** The administrator's calls as the server's routes have them; `answerOf` reads what they answer. @internal */
export const apiAt = (base: string) =>
  treaty<Server>(base, { keepDomain: true, parseDate: false, fetcher: send as typeof fetch }).api.admin

export const api = apiAt(apiBase)

/** Throws AdminError for a refusal, otherwise what fetch throws. A session is good with its token and this browser's cookie. */
async function send(url: string | URL | Request, options: RequestInit = {}): Promise<Response> {
  const headers = new Headers(options.headers)
  const token = readToken()
  if (token) headers.set('authorization', `Bearer ${token}`)
  const { signal = AbortSignal.timeout(30_000) } = options
  const kept = { credentials: 'include', cache: 'no-store' } as const
  const response = await fetch(url, { ...options, ...kept, headers, signal })
  if (response.ok) return response
  throw new AdminError(response.status, (await response.text().catch(() => '')) || response.statusText)
}

/** Options of a call with a deadline other than 30 s. */
export const within = (timeoutMs: number) => ({ fetch: { signal: AbortSignal.timeout(timeoutMs) } })

export type Reply = { data: unknown; error: { value: unknown } | null }
export type DataOf<R extends Reply> = Extract<R, { error: null }>['data']

export async function answerOf<R extends Reply>(reply: Promise<R>): Promise<DataOf<R>> {
  const { data, error } = await reply
  if (error) throw error.value
  return data
}

const textOrNothing = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

function parse(text: string): Record<string, unknown> {
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body ? (body as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

export type AdminConfig = Answer<'get', '/api/admin/raffle/config'>
export type NextTerms = Answer<'get', '/api/admin/raffle/next-terms'>
export type SalesFigures = Answer<'get', '/api/admin/raffle/sales'>
export type AnchorState = Answer<'get', '/api/admin/raffle/anchor'>
export type Pipeline = Answer<'get', '/api/admin/pipeline'>
export type PaymentItem = Answer<'get', '/api/admin/payments'>[number]
export type DrawRecord = Answer<'get', '/api/admin/raffle/history'>[number]
export type SecurityState = Answer<'get', '/api/admin/settings'>
export type Administrator = Answer<'get', '/api/admin/administrators'>[number]
export type PasskeyItem = Answer<'get', '/api/admin/passkeys'>[number]
export type SessionItem = Answer<'get', '/api/admin/sessions'>[number]
export type AuditItem = Answer<'get', '/api/admin/audit'>[number]
export type Channel = Answer<'get', '/api/admin/channels'>[number]
