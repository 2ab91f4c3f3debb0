import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { eachTestWithStorage } from '../../../../e2e/lab/browser-storage.ts'
import { $toast } from '../../shell/toast.ts'
import { Cancelled } from '../ui/error-text.ts'
import {
  $enrolment,
  $reauth,
  $username,
  api,
  call,
  callFile,
  changeCredentials,
  failed,
  readEnrolment,
  saveLanguage,
} from './session.ts'
import { putOff, writeToken } from './token.ts'

type Answer = { status: number; body: object }
/** What a path answers, one after another; the last one stays. */
let answers: Record<string, Answer[]> = {}
let asked: string[] = []
const server = createServer((request, response) => {
  const path = (request.url ?? '').replace(/^\/api\/admin\//, '').replace(/\?.*/, '')
  asked.push(`${request.method} ${path}`)
  const [first = { status: 404, body: {} }, ...later] = answers[path] ?? []
  if (later.length > 0) answers[path] = later
  response.writeHead(first.status, { 'content-type': 'application/json' }).end(JSON.stringify(first.body))
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
/** The pages' own server is where they come from; here it is this one. */
const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const realFetch = fetch

eachTestWithStorage()
beforeEach(() => {
  const kept = new Map<string, string>()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  })
  vi.stubGlobal('fetch', (path: string, options: RequestInit) => {
    // Without the cookie that a browser got at its login, its session is none.
    expect(options.credentials).toBe('include')
    return realFetch(base + path, options)
  })
  writeToken('token')
  asked = []
})
afterEach(() => {
  $username.set(undefined)
  $enrolment.set('done')
  $toast.set(undefined)
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const ok = (body: object): Answer => ({ status: 200, body })
const refused = (status: number, code: string): Answer => ({ status, body: { code, error: 'refused' } })
/** Answers the question that is open, as soon as it is. */
const answered = async (answer: 'done' | 'cancel') => (await vi.waitUntil(() => $reauth.get()))[answer]()

test('a language that the server refuses is the browser’s alone until the page knows who is there', async () => {
  answers = { 'me/language': [refused(503, 'DB_UNAVAILABLE'), refused(403, 'PASSWORD_CHANGE_REQUIRED')] }
  await saveLanguage('en')
  await saveLanguage('en')
  $username.set('admin')
  answers = { 'me/language': [refused(503, 'DB_UNAVAILABLE')] }
  await expect(saveLanguage('en')).rejects.toMatchObject({ status: 503 })
})

test('any call may ask for the password, and is made again once it was given', async () => {
  const old = refused(403, 'REAUTH_REQUIRED')
  const calls: [string, () => Promise<unknown>][] = [
    ['POST raffle/stop-sale', () => call(() => api.raffle['stop-sale'].post())],
    ['PATCH me/language', () => saveLanguage('ko')],
    ['PATCH credentials', () => changeCredentials({ currentPassword: 'a', newPassword: 'b' })],
    ['POST export/refund', () => callFile({ method: 'POST', path: '/api/admin/export/refund' })],
  ]
  for (const [name, make] of calls) {
    const path = name.replace(/^\w+ /, '')
    asked = []
    answers = { [path]: [old, ok({ token: 'another' })] }
    const made = make()
    await answered('done')
    await made
    expect([asked, $reauth.get()]).toEqual([[name, name], undefined])

    answers = { [path]: [old] }
    const left = make()
    await answered('cancel')
    await expect(left, name).rejects.toBeInstanceOf(Cancelled)
  }
})

test.each([
  { otpConfirmed: true, passkeys: 0, requireOtp: true, isLocal: false, is: 'done' },
  { otpConfirmed: false, passkeys: 1, requireOtp: false, isLocal: false, is: 'done' },
  { otpConfirmed: false, passkeys: 0, requireOtp: false, isLocal: false, is: 'due' },
  { otpConfirmed: false, passkeys: 0, requireOtp: true, isLocal: true, is: 'due' },
  { otpConfirmed: false, passkeys: 0, requireOtp: false, isLocal: true, is: 'asked' },
])(
  'a second factor is asked for: $is of $otpConfirmed, $passkeys, $requireOtp, local $isLocal',
  async (facts) => {
    const { is, isLocal, ...settings } = facts
    answers = { settings: [ok(settings)], setup: [ok({ isLocal, steps: [] })] }
    await readEnrolment()
    expect($enrolment.get()).toBe(is)
    putOff(true)
    await readEnrolment()
    // What is due cannot be put off.
    expect($enrolment.get()).toBe(is === 'asked' ? 'done' : is)
  },
)

test('what is refused for want of a second factor says so, and leads to where it is set up', async () => {
  answers = {
    'raffle/config': [refused(409, 'OTP_NOT_SET_UP')],
    settings: [ok({ otpConfirmed: false, passkeys: 0, requireOtp: false })],
    setup: [ok({ isLocal: false, steps: [] })],
  }
  const error = await call(() => api.raffle.config.patch({ minTicketsForDraw: 1 })).catch((caught) => caught)
  failed('저장하지 못했습니다', error)
  expect($enrolment.get()).toBe('due')
  expect($toast.get()).toMatchObject({ text: 'refused', tone: 'bad', action: { label: '2단계 인증 설정' } })
  failed('저장하지 못했습니다', new TypeError('fetch failed'))
  expect($toast.get()?.action).toBeUndefined()
})
