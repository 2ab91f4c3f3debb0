import { treaty } from '@elysiajs/eden/treaty2'
import type { ErrorValues } from '../../../../core/errors.ts'
import type { Answer, Server } from '../../shell/answers.ts'
import { apiBase } from '../../shell/api.ts'
import { readToken } from './token.ts'

/** Codes that are about one field whatever the call. */
const fieldOf: Record<string, string> = { WRONG_PASSWORD: 'currentPassword', WEAK_PASSWORD: 'newPassword' }

/** A refused call. The message is the status, a colon, and the body's text. */
export class AdminError extends Error {
  override name = 'AdminError'
  readonly status: number
  readonly code: string | undefined
  /** The wrong value, by its name in the call. */
  readonly field: string | undefined
  /** What the sentence speaks of. */
  readonly values: ErrorValues
  /** The server's own sentence. */
  readonly text: string | undefined
  readonly retryAfterMs: number | undefined

  constructor(status: number, body: string, retryAfterMs?: number) {
    super(`${status}: ${body}`)
    const { code, error, field, values } = parse(body)
    this.status = status
    this.code = textOrNothing(code)
    this.field = textOrNothing(field) ?? fieldOf[this.code ?? '']
    this.values = typeof values === 'object' && values !== null ? (values as ErrorValues) : {}
    this.text = textOrNothing(error)
    this.retryAfterMs = retryAfterMs
  }
}

/**
 * The administrator's calls as the server's routes have them; `answerOf` reads what they answer.
 * @internal
 */
export const apiAt = (base: string) =>
  treaty<Server>(base, { keepDomain: true, parseDate: false, fetcher: send as typeof fetch }).api.admin

export const api = apiAt(apiBase)

/** Throws AdminError for a refusal, otherwise what fetch throws. A session is good with its token and this browser's cookie. */
export async function send(url: string | URL | Request, options: RequestInit = {}): Promise<Response> {
  const headers = new Headers(options.headers)
  const token = readToken()
  if (token) headers.set('authorization', `Bearer ${token}`)
  const { signal = AbortSignal.timeout(30_000) } = options
  const response = await fetch(url, {
    ...options,
    credentials: 'include',
    cache: 'no-store',
    headers,
    signal,
  })
  if (!response.ok) throw await refusalOf(response)
  return response
}

/** Options of a call with a deadline other than 30 s, or one that `signal` can cancel. */
export const within = (timeoutMs: number, signal?: AbortSignal): { fetch: { signal: AbortSignal } } => {
  const timeout = AbortSignal.timeout(timeoutMs)
  return { fetch: { signal: signal ? AbortSignal.any([signal, timeout]) : timeout } }
}

export type Reply = { data: unknown; error: { value: unknown } | null }
export type DataOf<R extends Reply> = Extract<R, { error: null }>['data']

/** The answer of a call. Throws what `send` threw. */
export async function answerOf<R extends Reply>(reply: Promise<R>): Promise<DataOf<R>> {
  const { data, error } = await reply
  if (error) throw error.value
  return data
}

async function refusalOf(response: Response): Promise<AdminError> {
  const text = await response.text().catch(() => '')
  const seconds = Number(response.headers.get('retry-after'))
  return new AdminError(
    response.status,
    text || response.statusText,
    seconds > 0 ? seconds * 1000 : undefined,
  )
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

/** Answers of the administrator's calls, by the names that the tabs use. */
export type AdminConfig = Answer<'get', '/api/admin/raffle/config'>
export type NextTerms = Answer<'get', '/api/admin/raffle/next-terms'>
export type SalesFigures = Answer<'get', '/api/admin/raffle/sales'>
export type AnchorState = Answer<'get', '/api/admin/raffle/anchor'>
export type Pipeline = Answer<'get', '/api/admin/pipeline'>
export type PaymentItem = Answer<'get', '/api/admin/payments'>[number]
export type DrawRecord = Answer<'get', '/api/admin/raffle/history'>[number]
export type RefundRecord = Answer<'get', '/api/admin/refund-history'>[number]
export type SecurityState = Answer<'get', '/api/admin/settings'>
export type Administrator = Answer<'get', '/api/admin/administrators'>[number]
export type PasskeyItem = Answer<'get', '/api/admin/passkeys'>[number]
export type SessionItem = Answer<'get', '/api/admin/sessions'>[number]
export type AuditItem = Answer<'get', '/api/admin/audit'>[number]
export type Channel = Answer<'get', '/api/admin/channels'>[number]
