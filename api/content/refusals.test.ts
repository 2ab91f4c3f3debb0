import { expect, test } from 'vitest'
import { contentSha256 } from '../../core/content/promised.ts'
import { openAdminSession } from '../../e2e/lab/admin-api.ts'
import { aContent, aPrize } from '../../e2e/lab/content.ts'
import { contentApi } from '../../e2e/lab/content-api.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { contentBytes } from './routes.ts'

const adminApi = forEachTest(openAdminSession)

const { path, getNext, getOpen, putNext, putOpen, saveNext } = contentApi(adminApi)

test('bad contents are refused by the name of the field, keep nothing, and are noted', async () => {
  const { version } = await getNext()
  const code = async (content: unknown) => {
    const { status, body } = await putNext(content, version)
    return `${status} ${body.code} ${body.field ?? ''}`
  }
  const long = 'a'.repeat(10_000)
  expect(await code(aContent({ lead: { en: long, ko: 'a' } }))).toBe('422 INVALID_VALUE content.lead.en')
  expect(await code(aContent({ prizes: [aPrize({ about: { en: 'a', ko: long } })] }))).toBe(
    '422 INVALID_VALUE content.prizes.0.about.ko',
  )
  expect(await code(aContent({ links: [{ label: { en: 'a', ko: 'a' }, url: 'javascript:alert(1)' }] }))).toBe(
    '422 INVALID_URL content.links.0.url',
  )
  expect(await code({ ...aContent(), html: '<b>' })).toBe('422 UNKNOWN_FIELD content')
  expect(await code(null)).toBe('422 INVALID_VALUE content')
  expect((await adminApi.ask('PUT', `${path}/next-content`, { version })).body).toMatchObject({
    code: 'INVALID_VALUE',
    field: 'content',
  })
  expect((await adminApi.ask('PUT', `${path}/next-content`, { content: aContent() })).body).toMatchObject({
    field: 'version',
  })
  expect(await code({ ...aContent(), pad: 'a'.repeat(contentBytes) })).toBe('413 BODY_TOO_LARGE ')
  // The larger bodies are this call's alone.
  const other = await adminApi.ask('PUT', `${path}/next-terms`, {
    claimDays: 30,
    version,
    pad: 'a'.repeat(20_000),
  })
  expect(other).toMatchObject({ status: 413 })
  expect(await getNext()).toMatchObject({ draft: null, version })
  const script = '<script>alert(1)</script>'
  expect((await saveNext(aContent({ lead: { en: script, ko: script } }))).body.draft.lead.en).toBe(script)
})

test('no text that visitors read names an address that is not the operator wallet', async () => {
  const { version } = await getNext()
  const { version: open } = await getOpen()
  const { version: rules } = (await adminApi.ask('GET', '/api/admin/house-rules')).body
  const wallet = (await adminApi.ask('GET', `${path}/config`)).body.operatorWallet
  const calls = (address: string): [string, string, object, string][] => {
    const told = `Send 3 USDT to ${address}`
    const text = { en: 'a', ko: told }
    const content = aContent({ prizes: [aPrize({ about: text })] })
    const settings = '/api/admin/event/settings'
    const prize = { eventNumber: 1, place: 1, act: 'corrected', reason: told }
    return [
      ['POST', settings, { prizeDescription: told }, 'prizeDescription'],
      ['POST', settings, { prizeValue: told }, 'prizeValue'],
      ['PUT', `${path}/next-content`, { content, version }, 'content.prizes.0.about.ko'],
      ['PUT', `${path}/content`, { content, version: open }, 'content.prizes.0.about.ko'],
      ['PUT', '/api/admin/house-rules/texts', { kind: 'terms', text, version: rules }, 'text.ko'],
      ['POST', '/api/admin/prizes', prize, 'reason'],
    ]
  }
  for (const [method, call, body, field] of calls(`0x${'dEaD'.repeat(10)}`))
    expect([call, await adminApi.ask(method, call, body)]).toMatchObject([
      call,
      { status: 422, body: { code: 'INVALID_VALUE', field } },
    ])
  expect((await adminApi.call('GET', '/api/event/settings')).body.prizeDescription).toBeNull()
  // The winner's prize is not there yet, which is asked next.
  for (const [method, call, body] of calls(wallet))
    expect([call, (await adminApi.ask(method, call, body)).status]).toEqual([
      call,
      call === '/api/admin/prizes' ? 404 : 200,
    ])
})

test('each change leaves an audit row', async () => {
  const { body } = await saveNext(aContent())
  await adminApi.ask('DELETE', `${path}/next-content?version=${body.version}`)
  await putOpen(aContent())
  const { body: audit } = await adminApi.ask('GET', '/api/admin/audit')
  const contentSha = { contentSha256: contentSha256(aContent()) }
  expect(audit.slice(0, 3)).toMatchObject([
    { action: 'raffle.content', outcome: '200', before: { contentSha256: null }, after: contentSha },
    { action: 'raffle.discard-content', outcome: '200', before: contentSha },
    { action: 'raffle.next-content', outcome: '200', before: { contentSha256: null }, after: contentSha },
  ])
})
