import { sql } from 'drizzle-orm'
import { privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type AdminApi, openAdminApi, owner } from '../../e2e/lab/admin-api.ts'
import { foldTo, operator, paid } from '../../e2e/lab/ledger-story.ts'
import { createApp } from '../app.ts'

let adminApi: AdminApi
let token: string
beforeEach(async () => {
  adminApi = await openAdminApi()
  token = await adminApi.login()
})
afterEach(() => adminApi.close())

const config = (body: unknown) => adminApi.call('PATCH', '/api/admin/raffle/config', { token, body })
const codes = async (bodies: readonly unknown[], send: (body: unknown) => ReturnType<typeof config>) => {
  const found = new Set<string>()
  for (const body of bodies) found.add((await send(body)).body.code ?? `accepted ${JSON.stringify(body)}`)
  return [...found]
}
const prize = (body: unknown) => adminApi.call('POST', '/api/admin/event/settings', { token, body })
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
const wallet = privateKeyToAccount(`0x${'42'.repeat(32)}`)

test('the form changes the event, and the public page shows it', async () => {
  const before = (await adminApi.call('GET', '/api/admin/raffle/config', { token })).body
  const drawDate = `${inDays(3).slice(0, 16)}`
  const { status, body } = await config({
    drawDate,
    minTicketsForDraw: 7,
    googleFormUrl: 'https://forms.example/abc?x=1',
    version: before.version,
  })
  expect(status).toBe(200)
  expect(body).toMatchObject({
    eventNumber: 1,
    drawDate: `${drawDate}:00.000Z`,
    saleEndDate: new Date(Date.parse(`${drawDate}Z`) - 10_000).toISOString(),
    minTicketsForDraw: 7,
    googleFormUrl: 'https://forms.example/abc?x=1',
    version: before.version + 1,
  })
  expect(body.archiveMessage).toBeUndefined()
  await adminApi.deps.state.refresh()
  expect((await adminApi.call('GET', '/api/raffle/config')).body).toMatchObject({ minTicketsForDraw: 7 })
  expect((await config({ minTicketsForDraw: 9, version: before.version })).body.code).toBe('VERSION_CONFLICT')
})

test('bad fields of the form get their code and change nothing', async () => {
  const before = (await adminApi.call('GET', '/api/admin/raffle/config', { token })).body
  const each = (name: string, values: readonly unknown[]) =>
    codes(
      values.map((value) => ({ [name]: value })),
      config,
    )
  const strange = [7, true, {}, [], 'x'.repeat(9_000), 'a\0b', '\ud800']
  expect(
    await each('drawDate', [
      '',
      ' ',
      'soon',
      '2030-02-30T00:00',
      '2030-01-01T00:00+09:00',
      '２０３０-01-01T00:00',
      ...strange,
    ]),
  ).toEqual(['INVALID_DATE'])
  expect(
    await each('drawDate', ['2025-08-19T03:53:00Z', new Date(Date.now() + 9_000).toISOString()]),
  ).toEqual(['DATE_IN_PAST'])
  expect(await each('saleEndDate', ['', 'soon', ...strange])).toEqual(['INVALID_DATE'])
  expect((await config({ drawDate: inDays(3), saleEndDate: inDays(3) })).body.code).toBe('INVALID_DATE')
  expect(
    await each('googleFormUrl', [
      'http://forms.example',
      'javascript:alert(1)',
      'forms.example',
      'https://user:pw@x.example',
      'https:// x',
      ' ',
      ...strange,
    ]),
  ).toEqual(['INVALID_URL'])
  expect(
    await each('operatorWallet', [
      '',
      null,
      '0x',
      '0x123',
      `0x${'0'.repeat(40)}`,
      wallet.address.replace('a', 'A').replace('c', 'C'),
      wallet.address.toUpperCase(),
      ...strange,
    ]),
  ).toEqual(['INVALID_WALLET'])
  expect(await each('minTicketsForDraw', [0, -1, 1.5, 10_000_001, '100', null, 1e300, {}, []])).toEqual([
    'INVALID_VALUE',
  ])
  expect(await each('version', ['1', 0, null])).toEqual(['NO_CHANGES'])
  expect((await config({ minTicketsForDraw: 5, version: '1' })).body.code).toBe('INVALID_VALUE')
  expect((await config({})).body.code).toBe('NO_CHANGES')
  expect((await config({ minTicketsForDraw: 5, ticketPrice: 1 })).body.code).toBe('UNKNOWN_FIELD')
  expect((await config(JSON.parse('{"__proto__":{"minTicketsForDraw":1}}'))).body.code).toBe('UNKNOWN_FIELD')
  expect((await config([])).body.code).toBe('INVALID_VALUE')
  expect((await adminApi.call('GET', '/api/admin/raffle/config', { token })).body).toEqual(before)
})

test('another operator wallet asks for the password again, the same one does not (A7)', async () => {
  await adminApi.db.execute(sql`update sessions set fresh_at = fresh_at - interval '11 minutes'`)
  expect((await config({ operatorWallet: wallet.address })).body.code).toBe('REAUTH_REQUIRED')
  expect((await config({ operatorWallet: operator, minTicketsForDraw: 5 })).status).toBe(200)
  await adminApi.call('POST', '/api/admin/reauth', { token, body: { password: owner.password } })
  const changed = await config({ operatorWallet: wallet.address })
  expect(changed.body).toMatchObject({ operatorWallet: wallet.address, walletProven: false })
})

test('only a signature of the operator wallet itself proves it', async () => {
  await config({ operatorWallet: wallet.address })
  const { walletProofMessage: message } = (await adminApi.call('GET', '/api/admin/raffle/config', { token }))
    .body
  const prove = (signature: unknown) =>
    adminApi.call('POST', '/api/admin/raffle/prove-wallet', { token, body: { signature } })
  const stranger = privateKeyToAccount(`0x${'43'.repeat(32)}`)
  expect((await prove(await stranger.signMessage({ message }))).body.code).toBe('INVALID_VALUE')
  expect((await prove(`0x${'00'.repeat(65)}`)).body.code).toBe('INVALID_VALUE')
  expect((await prove('0x12')).body.code).toBe('INVALID_VALUE')
  expect((await prove(await wallet.signMessage({ message }))).status).toBe(200)
  const { body } = await adminApi.call('GET', '/api/admin/raffle/config', { token })
  expect(body).toMatchObject({ walletProven: true, walletLocked: false })
})

test('from the first payment on the wallet is locked', async () => {
  await foldTo(adminApi.db, adminApi.event, 5, [paid(adminApi.event, { block: 3, cents: 9900 })])
  expect(await config({ operatorWallet: wallet.address })).toMatchObject({
    status: 409,
    body: { code: 'EVENT_LOCKED' },
  })
  const { body } = await adminApi.call('GET', '/api/admin/payments', { token })
  expect(body).toMatchObject([{ status: 'credited', ticketNumber: 1, ticketCount: 33, amount: 9900 }])
})

test('the next event is published as entered, and an empty field changes nothing', async () => {
  const saved = await prize({
    prizeImageUrl: 'https://cdn.example/prize.jpg',
    prizeValue: '$2,500',
    prizeDescription: '한 줄\n두 줄 <b>bold</b>',
    eventStartDate: '2030-01-02T03:04:00',
    isActive: true,
  })
  expect(saved.body).toMatchObject({
    prizeImageUrl: 'https://cdn.example/prize.jpg',
    prizeValue: '$2,500',
    prizeDescription: '한 줄\n두 줄 <b>bold</b>',
    eventStartDate: '2030-01-02T03:04:00.000Z',
    isActive: true,
  })
  const later = await prize({
    prizeValue: '$3,000',
    prizeDescription: '',
    prizeImageUrl: null,
    isActive: true,
  })
  expect(later.body).toMatchObject({
    prizeValue: '$3,000',
    prizeDescription: '한 줄\n두 줄 <b>bold</b>',
    prizeImageUrl: null,
  })
  await adminApi.deps.state.refresh()
  expect((await adminApi.call('GET', '/api/event/settings')).body).toMatchObject({ prizeValue: '$3,000' })
})

test('a form of the next event is refused if somebody else saved in the meantime', async () => {
  const seen = (await adminApi.call('GET', '/api/admin/event/settings', { token })).body.updatedAt
  const first = await prize({ prizeValue: '$1', version: seen })
  expect(first.status).toBe(200)
  expect(await prize({ prizeValue: '$2', version: seen })).toMatchObject({
    status: 409,
    body: { code: 'VERSION_CONFLICT' },
  })
  expect((await prize({ prizeValue: '$3', version: first.body.updatedAt })).body.prizeValue).toBe('$3')
  for (const version of ['now', 7, {}, 'x'.repeat(50), '']) {
    const { code } = (await prize({ prizeValue: '$4', version })).body
    expect([version, code]).toEqual([version, 'INVALID_VALUE'])
  }
})

test('bad fields of the next event get their error code (A8)', async () => {
  expect(await prize({ isActive: true })).toMatchObject({
    status: 422,
    body: { code: 'NO_CHANGES', error: '최소 하나의 설정을 변경해주세요' },
  })
  expect((await prize({ prizeValue: ' ', prizeDescription: '' })).body.code).toBe('NO_CHANGES')
  const each = (name: string, values: readonly unknown[]) =>
    codes(
      values.map((value) => ({ [name]: value })),
      prize,
    )
  expect(
    await each('prizeImageUrl', [
      'javascript:alert(1)',
      'data:image/png;base64,AA',
      'http://evil.example/a.png',
      '/api/uploads/../admin/me',
      `http://evil.example/api/uploads/${'a'.repeat(32)}.png`,
      '//evil.example/x',
      7,
      {},
    ]),
  ).toEqual(['INVALID_URL'])
  expect(await each('prizeValue', ['x'.repeat(101), 'a\0', 7, {}, []])).toEqual(['INVALID_VALUE'])
  expect(await each('prizeDescription', ['x'.repeat(5_001), 'a\0', '\ud800', 7])).toEqual(['INVALID_VALUE'])
  expect(await each('eventStartDate', ['soon', '2030-13-01T00:00:00', 7])).toEqual(['INVALID_DATE'])
  expect((await prize({ prizeValue: '$1', isActive: 'yes' })).body.code).toBe('INVALID_VALUE')
  expect((await prize({ prizeValue: '$1', updatedAt: 'now' })).body.code).toBe('UNKNOWN_FIELD')
  for (const own of [
    `/api/uploads/${'a'.repeat(32)}.png`,
    `http://localhost/api/uploads/${'a'.repeat(32)}.jpg`,
  ])
    expect((await prize({ prizeImageUrl: own })).body.prizeImageUrl).toBe(own)
})

test('a manual hash times out without a worker, and a bad one is refused before the wait', async () => {
  const hash = `0x${'ab'.repeat(32)}`
  const send = (transactionHash: unknown) =>
    adminApi.call('POST', '/api/admin/blockchain/process-transaction', { token, body: { transactionHash } })
  for (const bad of ['', ' ', '0x12', null, 7, `${hash}00`, {}])
    expect((await send(bad)).body.code).toBe('INVALID_TX_HASH')
  const payment = paid(adminApi.event, { block: 3, cents: 9900 })
  await foldTo(adminApi.db, adminApi.event, 5, [payment])
  expect(await send(` ${payment.transactionHash.toUpperCase()} `)).toMatchObject({
    status: 200,
    body: { ticketsCreated: 33 },
  })
  expect(await send(payment.transactionHash)).toMatchObject({
    status: 409,
    body: { code: 'ALREADY_PROCESSED' },
  })
  expect(await send(hash)).toMatchObject({ status: 503, body: { code: 'RPC_UNAVAILABLE' } })
})

test('payments are listed in pages of 100 and can be searched', async () => {
  const list = Array.from({ length: 120 }, (_, i) =>
    paid(adminApi.event, {
      block: 3,
      cents: i === 7 ? 100 : 300,
      index: i,
      ...(i === 5 && { payer: `0x${'c3'.repeat(20)}` as const }),
    }),
  )
  await foldTo(adminApi.db, adminApi.event, 5, list)
  const get = (query: string) =>
    adminApi.call('GET', `/api/admin/payments?${query}`, { token }).then(({ body }) => body)
  const first = await get('')
  expect(first).toHaveLength(100)
  const rest = await get(`cursor=${first.at(-1).id}`)
  expect(rest).toHaveLength(20)
  expect(new Set([...first, ...rest].map((row: { id: number }) => row.id)).size).toBe(120)
  expect(await get('reason=underpaid')).toMatchObject([
    { status: 'rejected', amount: 100, ticketNumber: null },
  ])
  expect(await get(`wallet=0x${'C3'.repeat(20)}`)).toHaveLength(1)
  expect(await get(`hash=${list[9]?.transactionHash}`)).toHaveLength(1)
  expect(await get('event=2')).toEqual([])
  for (const bad of ['cursor=x', 'status=x', 'reason=x', 'event=-1', 'cursor=99999999999999999999'])
    expect((await get(bad)).code).toBe('INVALID_VALUE')
  expect((await get('wallet=0x12')).code).toBe('INVALID_WALLET')
  const { body } = await adminApi.call('GET', '/api/admin/pipeline', { token })
  expect(body).toMatchObject({
    scan: { height: 5 },
    claims: { received: 0, confirming: 0 },
    withoutTicket: { underpaid: 1 },
  })
})

test('the refund notice opens only in refund mode, and closes', async () => {
  const notice = (body?: unknown) =>
    adminApi.call('POST', '/api/admin/raffle/refund-notification', {
      token,
      ...(body !== undefined && { body }),
    })
  expect((await notice()).body.code).toBe('SALES_OPEN')
  await adminApi.db.execute(sql`update events set refund_mode_at = now()`)
  expect(await notice()).toMatchObject({ status: 200, body: { active: true } })
  await adminApi.deps.state.refresh()
  expect((await adminApi.call('GET', '/api/raffle/draw-status')).body.refundNotice).toBe(true)
  expect(await notice({ active: false })).toMatchObject({ status: 200, body: { active: false } })
  expect((await notice({ active: 'no' })).body.code).toBe('INVALID_VALUE')
  expect((await notice({ on: true })).body.code).toBe('UNKNOWN_FIELD')
})

test('with refunds paused nothing is prepared and nothing is handed to a wallet', async () => {
  const { admin } = adminApi.deps
  const refunds = { minUnits: 0n, isPaused: true, disperseAddress: undefined }
  const paused = createApp({ ...adminApi.deps, admin: { ...admin, refunds } })
  const post = async (path: string, body: unknown) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const request = new Request(`http://localhost/api/admin/${path}`, {
      method: 'POST',
      headers: { ...headers, 'x-site-proxy': 'test-site', 'x-forwarded-for': '10.1.2.3' },
      body: JSON.stringify(body),
    })
    const answer = await paused.handle(request)
    return [answer.status, ((await answer.json()) as { code: string }).code]
  }
  const refundInfo = { totalTickets: 1, totalAmount: 300 }
  expect(await post('raffle/execute-refund', { refundInfo })).toEqual([503, 'REFUNDS_PAUSED'])
  const offer = { ids: [1], nonce: 0, wallet: operator }
  expect(await post('refunds/offer', offer)).toEqual([503, 'REFUNDS_PAUSED'])
  expect(await adminApi.db.execute(sql`select 1 from refund_batches`)).toHaveLength(0)
})

test('draw and refund history are lists', async () => {
  expect((await adminApi.call('GET', '/api/admin/raffle/history', { token })).body).toMatchObject([
    { id: 1, eventNumber: 1, isActive: true, ticketsSold: 0, winnerId: null, winnerWallet: null },
  ])
  expect((await adminApi.call('GET', '/api/admin/refund-history', { token })).body).toEqual([])
})
