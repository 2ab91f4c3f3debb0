import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { AdminError, answerOf, apiAt, within } from './session.ts'

type Asked = { method: string | undefined; url: string | undefined; body: string }
const asked: Asked[] = []
let answer: (response: ServerResponse) => void
const server = createServer(async (request, response) => {
  let body = ''
  for await (const part of request) body += part
  asked.push({ method: request.method, url: request.url, body })
  answer(response)
})
const say = (status: number, body: unknown, headers: Record<string, string> = {}) => {
  answer = (response) =>
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(typeof body === 'string' ? body : JSON.stringify(body))
}
let api: ReturnType<typeof apiAt>

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  api = apiAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

test('a call requests its path and returns the JSON unchanged, with dates as text', async () => {
  const drawDate = '2025-09-30T12:00:00.000Z'
  say(200, { drawDate })
  expect(await answerOf(api.raffle.config.get())).toEqual({ drawDate })
  say(200, [])
  await answerOf(api.audit.get({ query: { action: 'login' } }))
  say(200, { id: 7 })
  await answerOf(api.refunds({ payer: '0x07' }).hold.post({ note: 'Asks' }))
  say(200, {})
  await answerOf(api['setup-otp'].post())
  expect(asked.splice(0)).toEqual([
    { method: 'GET', url: '/api/admin/raffle/config', body: '' },
    { method: 'GET', url: '/api/admin/audit?action=login', body: '' },
    {
      ...{ method: 'POST', url: '/api/admin/refunds/0x07/hold' },
      body: JSON.stringify({ note: 'Asks' }),
    },
    { method: 'POST', url: '/api/admin/setup-otp', body: '' },
  ])
})

test('a refusal is thrown with its code, field, sentence and time to wait', async () => {
  const body = { code: 'INVALID_DATE', error: 'Not a date.', field: 'drawDate' }
  say(422, body)
  const error = await answerOf(api.raffle.config.patch({ drawDate: 'soon' })).catch((caught) => caught)
  expect(error).toBeInstanceOf(AdminError)
  expect({ ...error }).toMatchObject({
    ...{ status: 422, code: 'INVALID_DATE', field: 'drawDate', text: 'Not a date.' },
  })
  expect(error.message).toBe(`422: ${JSON.stringify(body)}`)
  say(502, '<html>')
  await expect(answerOf(api.me.get())).rejects.toMatchObject({ status: 502, code: undefined })
})

test('a call that times out rejects as fetch does', async () => {
  answer = () => undefined
  await expect(answerOf(api.me.get(within(50)))).rejects.toMatchObject({ name: 'TimeoutError' })
})
