import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { openAdminSession } from '../../e2e/lab/admin-api.ts'
import { foldTo, paid } from '../../e2e/lab/ledger-story.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { daysFromNow, fromNow } from '../../e2e/lab/test-time.ts'

const adminApi = forEachTest(openAdminSession)

const config = (body: unknown) => adminApi.ask('PATCH', '/api/admin/raffle/config', body)
const codes = async (bodies: readonly unknown[], send: (body: unknown) => ReturnType<typeof config>) => {
  const found = new Set<string>()
  for (const body of bodies) found.add((await send(body)).body.code ?? `accepted ${JSON.stringify(body)}`)
  return [...found]
}
/** As an upload leaves it; returns its path. */
function keepImage(): string {
  const key = `${'ab'.repeat(16)}.png`
  writeFileSync(join(adminApi.dir, key), 'a picture')
  return `/api/uploads/${key}`
}
const prize = (body: unknown) => adminApi.ask('POST', '/api/admin/event/settings', body)
const inDays = (days: number) => daysFromNow(days).toISOString()
const wallet = privateKeyToAccount(`0x${'42'.repeat(32)}`)

test('the form changes the event, and the public page shows it', async () => {
  const before = (await adminApi.ask('GET', '/api/admin/raffle/config')).body
  const drawDate = `${inDays(3).slice(0, 16)}`
  const { status, body } = await config({
    drawDate,
    minTicketsForDraw: 7,
    googleFormUrl: 'https://forms.gle/abc?x=1',
    version: before.version,
  })
  expect(status).toBe(200)
  expect(body).toMatchObject({
    eventNumber: 1,
    drawDate: `${drawDate}:00.000Z`,
    saleEndDate: new Date(Date.parse(`${drawDate}Z`) - 10_000).toISOString(),
    minTicketsForDraw: 7,
    googleFormUrl: 'https://forms.gle/abc?x=1',
    version: before.version + 1,
  })
  expect(body.archiveMessage).toBeUndefined()
  await adminApi.deps.state.refresh()
  expect((await adminApi.call('GET', '/api/raffle/config')).body).toMatchObject({ minTicketsForDraw: 7 })
  expect((await config({ minTicketsForDraw: 9, version: before.version })).body.code).toBe('VERSION_CONFLICT')
})

test('bad fields of the form get their code and change nothing', async () => {
  const before = (await adminApi.ask('GET', '/api/admin/raffle/config')).body
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
  expect(await each('drawDate', ['2025-08-19T03:53:00Z', fromNow(9).toISOString()])).toEqual(['DATE_IN_PAST'])
  expect(await each('saleEndDate', ['', 'soon', ...strange])).toEqual(['INVALID_DATE'])
  expect((await config({ drawDate: inDays(3), saleEndDate: inDays(3) })).body.code).toBe('INVALID_DATE')
  expect(
    await each('googleFormUrl', [
      'http://forms.gle',
      'javascript:alert(1)',
      'forms.example',
      'https://user:pw@forms.gle',
      'https://forms.example/abc',
      'https://forms.gle.example/abc',
      'https://forms.gle:444/abc',
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
  expect((await adminApi.ask('GET', '/api/admin/raffle/config')).body).toEqual(before)
})

test('a wallet or a draw date takes a second factor, outside local mode (A7)', async () => {
  await adminApi.db.execute(sql`update admins set otp_confirmed_at = null`)
  const refused = { status: 409, body: { code: 'OTP_NOT_SET_UP' } }
  expect(await config({ operatorWallet: wallet.address })).toMatchObject(refused)
  expect(await config({ drawDate: '2099-01-01T00:00:00Z' })).toMatchObject(refused)
  expect((await config({ minTicketsForDraw: 5 })).status).toBe(200)
  await adminApi.db.execute(sql`update admins set otp_confirmed_at = now()`)
  const changed = await config({ operatorWallet: wallet.address })
  expect(changed.body).toMatchObject({ operatorWallet: wallet.address, walletProven: false })
})

test('only a signature of the operator wallet itself proves it', async () => {
  await config({ operatorWallet: wallet.address })
  const { walletProofMessage: message } = (await adminApi.ask('GET', '/api/admin/raffle/config')).body
  const prove = (signature: unknown) => adminApi.ask('POST', '/api/admin/raffle/prove-wallet', { signature })
  for (const text of ['0x1', 'signed', `0x${'00'.repeat(4097)}`, null])
    expect((await prove(text)).body.code).toBe('INVALID_VALUE')
  expect((await prove(await wallet.signMessage({ message }))).status).toBe(200)
  const { body } = await adminApi.ask('GET', '/api/admin/raffle/config')
  expect(body).toMatchObject({ walletProven: true, locks: {} })
})

test('from the first payment on the wallet is locked', async () => {
  await foldTo(adminApi.db, adminApi.event, 5, [paid(adminApi.event, { block: 3, cents: 9900 })])
  expect(await config({ operatorWallet: wallet.address })).toMatchObject({
    status: 409,
    body: { code: 'EVENT_LOCKED' },
  })
})

test('the next event is published as entered, and an empty field changes nothing', async () => {
  const picture = keepImage()
  const saved = await prize({
    prizeImageUrl: picture,
    prizeValue: '$2,500',
    prizeDescription: '한 줄\n두 줄 <b>bold</b>',
    eventStartDate: '2030-01-02T03:04:00',
    isActive: true,
  })
  expect(saved.body).toMatchObject({
    prizeImageUrl: picture,
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
  const seen = (await adminApi.ask('GET', '/api/admin/event/settings')).body.updatedAt
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
      'https://cdn.example/prize.jpg',
      `https://evil.example${keepImage()}`,
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
  const picture = keepImage()
  for (const own of [picture, `http://localhost${picture}`])
    expect((await prize({ prizeImageUrl: own })).body.prizeImageUrl).toBe(own)
})

test('only the form’s hosts are told to visitors, also after FORM_HOSTS was shortened ', async () => {
  expect((await config({ googleFormUrl: 'https://forms.gle/abc' })).status).toBe(200)
  const told = async () => {
    await adminApi.deps.state.refresh()
    return (await adminApi.call('GET', '/api/raffle/config')).body.googleFormUrl
  }
  expect(await told()).toBe('https://forms.gle/abc')
  await adminApi.db.execute(sql`update events set google_form_url = 'https://forms.example/old'`)
  await adminApi.db.execute(sql`update house set version = version + 1`)
  expect(await told()).toBeNull()
  const { googleFormUrl, formHosts } = (await adminApi.ask('GET', '/api/admin/raffle/config')).body
  expect({ googleFormUrl, formHosts }).toEqual({
    googleFormUrl: 'https://forms.example/old',
    formHosts: ['docs.google.com', 'forms.gle'],
  })
})
