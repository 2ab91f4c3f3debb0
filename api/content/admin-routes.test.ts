import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { contentSha256, promisedText } from '../../core/content/promised.ts'
import { parseTerms } from '../../core/event/terms.ts'
import { changeContent } from '../../db/content/contents.ts'
import { getOpenEvent } from '../../db/event/events.ts'
import { openAdminSession } from '../../e2e/lab/admin-api.ts'
import { aContent, aPrize } from '../../e2e/lab/content.ts'
import { contentApi } from '../../e2e/lab/content-api.ts'
import { foldTo, listChanges, paid } from '../../e2e/lab/ledger-story.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { daysFromNow } from '../../e2e/lab/test-time.ts'

const adminApi = forEachTest(openAdminSession)

const { path, getNext, getOpen, putNext, putOpen, saveNext, endEvent } = contentApi(adminApi)
const terms = async () => parseTerms((await adminApi.ask('GET', `${path}/next-terms`)).body.terms)
const conflict = { status: 409, body: { code: 'VERSION_CONFLICT' } }
const drawDate = daysFromNow(3).toISOString()

/** A payment gets three tickets. */
const sellOne = () =>
  foldTo(adminApi.db, adminApi.event, 600, [paid(adminApi.event, { block: 600, cents: 900 })])
/** A new draw date archives it and opens event 2. */
async function openNext(change: object = {}) {
  await endEvent()
  return adminApi.ask('PATCH', `${path}/config`, { drawDate, ...change })
}
const changed = async () =>
  (await listChanges(adminApi.db))
    .filter(({ field }) => field === 'content' || field === 'winners')
    .map(({ field, from, to }) => [field, from, to])

test('the content of the next event is drafted, and becomes its content with its SHA-256 in the terms', async () => {
  expect(await getNext()).toMatchObject({
    eventNumber: 2,
    draft: null,
    next: null,
    contentSha256: null,
  })
  const content = aContent({ prizes: [aPrize({ copies: 2 }), aPrize({ kind: 'token', amount: 500 })] })
  const saved = await saveNext(content)
  const sha256 = contentSha256(content)
  expect(saved).toMatchObject({
    status: 200,
    body: {
      draft: content,
      next: content,
      contentSha256: sha256,
      promised: promisedText(content),
    },
  })
  expect(await terms()).toMatchObject({ eventNumber: '2', winners: '3', contentSha256: sha256 })
  expect((await openNext()).status).toBe(200)
  expect(await getOpen()).toMatchObject({
    eventNumber: 2,
    content,
    contentSha256: sha256,
    isLocked: false,
  })
  expect(await getOpenEvent(adminApi.db)).toMatchObject({ number: 2, winners: 3, contentSha256: sha256 })
  await adminApi.deps.state.refresh()
  const { body: config } = await adminApi.call('GET', '/api/raffle/config')
  expect(parseTerms(config.terms)).toMatchObject({ eventNumber: '2', contentSha256: sha256, winners: '3' })
  expect(config.prizes).toMatchObject([
    { kind: 'goods' },
    { kind: 'goods' },
    { kind: 'token', units: `${5n * 10n ** 18n}` },
  ])
  // The draft is used up, and the next event takes over what this one has.
  expect(await getNext()).toMatchObject({
    eventNumber: 3,
    draft: null,
    next: content,
    contentSha256: sha256,
  })
  expect(await changed()).toEqual([])
})

test('an event without a drafted content takes over that of the one before, and one of none has none', async () => {
  expect((await openNext()).status).toBe(200)
  expect(await getOpen()).toMatchObject({
    eventNumber: 2,
    content: null,
    contentSha256: null,
    promised: null,
  })
  expect(await terms()).toMatchObject({ contentSha256: 'none', winners: '1' })
  expect(await putOpen(aContent())).toMatchObject({ status: 200 })
  expect(await terms()).toMatchObject({ eventNumber: '3', contentSha256: contentSha256(aContent()) })
})

test('two administrators: the second of two forms is refused, and its content is not kept', async () => {
  const { version } = await getNext()
  expect((await putNext(aContent(), version)).status).toBe(200)
  expect(await putNext(aContent({ prizes: [aPrize({ value: '$1' })] }), version)).toMatchObject(conflict)
  expect(await adminApi.ask('DELETE', `${path}/next-content?version=${version}`)).toMatchObject(conflict)
  expect((await getNext()).draft).toEqual(aContent())
  const open = await getOpen()
  expect((await putOpen(aContent(), open.version)).status).toBe(200)
  expect(await putOpen(aContent({ prizes: [aPrize({ value: '$1' })] }), open.version)).toMatchObject(conflict)
  expect((await getOpen()).content).toEqual(aContent())
  // Whoever opens the next event has seen what it raffles.
  const { version: draft } = (await adminApi.ask('GET', `${path}/next-terms`)).body
  await adminApi.ask('PUT', `${path}/next-terms`, { drawDate, version: draft })
  await endEvent()
  const post = (contentVersion: number) =>
    adminApi.ask('POST', `${path}/open-next`, { version: draft + 1, contentVersion })
  const byDate = (contentVersion: number) =>
    adminApi.ask('PATCH', `${path}/config`, { drawDate, contentVersion })
  expect(await byDate(version)).toMatchObject(conflict)
  expect(await post(version)).toMatchObject(conflict)
  expect((await post(version + 1)).status).toBe(200)
  expect((await getOpen()).content).toEqual(aContent())
})

test('both at once: of two parallel saves one is kept', async () => {
  const { version } = await getNext()
  const answers = await Promise.all(
    [1, 2, 3, 4].map((each) => putNext(aContent({ prizes: [aPrize({ value: `$${each}` })] }), version)),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
})

test('the open event changes until its first ticket, with winners and prizes, in public', async () => {
  const content = aContent({ prizes: [aPrize({ copies: 4 })] })
  const before = adminApi.deps.state.version
  expect(await putOpen(content)).toMatchObject({
    status: 200,
    body: { content, contentSha256: contentSha256(content) },
  })
  await adminApi.deps.state.refresh()
  expect(adminApi.deps.state.version).toBeGreaterThan(before)
  expect(await getOpenEvent(adminApi.db)).toMatchObject({ winners: 4 })
  const wording = { ...content, lead: { en: 'Another lead.', ko: '다른 소개.' } }
  expect(await putOpen(wording)).toMatchObject({ status: 200, body: { content: wording } })
  expect(await changed()).toEqual([
    ['content', null, contentSha256(content)],
    ['winners', '1', '4'],
  ])
  await sellOne()
  const locked = { status: 409, body: { code: 'EVENT_LOCKED', field: 'content' } }
  expect(await putOpen(aContent())).toMatchObject(locked)
  expect(await getOpen()).toMatchObject({ content: wording, isLocked: true })
  expect(await putOpen({ ...wording, lead: { en: 'A third.', ko: '셋째.' } })).toMatchObject(locked)
  const links = [{ label: { en: 'Maker', ko: '제조사' }, url: 'https://maker.example/' }]
  expect(await putOpen({ ...wording, links })).toMatchObject({ status: 200, body: { content: { links } } })
})

test('I40: the database itself refuses another content once a ticket was sold', async () => {
  await putOpen(aContent())
  await saveNext(aContent({ lead: { en: 'Other.', ko: '다른.' } }))
  const replace = () =>
    adminApi.db.execute(sql`update events set content = (select content from settings) where number = 1`)
  await sellOne()
  await expect(replace()).rejects.toMatchObject({
    cause: { message: 'the terms of event 1 are locked' },
  })
})

test('I40: the database itself refuses another content after the freeze, and of an archived event', async () => {
  await putOpen(aContent())
  await saveNext(aContent({ lead: { en: 'Other.', ko: '다른.' } }))
  const why = (change: string) =>
    adminApi.db.execute(sql.raw(change)).then(
      () => 'done',
      (error) => (error.cause as Error).message,
    )
  const replaced = 'update events set content = (select content from settings) where number = 1'
  await endEvent()
  expect(await why(replaced)).toBe('the terms of event 1 are locked')
  expect((await adminApi.ask('PATCH', `${path}/config`, { drawDate })).status).toBe(200)
  await adminApi.db.execute(
    sql`update events set frozen_at = null, ledger_sha256 = null, ledger_lines = null where number = 1`,
  )
  expect(await why(replaced)).toBe('the terms of event 1 are locked')
})

test('I40: an archived event keeps its content', async () => {
  await putOpen(aContent())
  const seen = await getOpen()
  expect((await openNext()).status).toBe(200)
  // The form of event 1 is never taken for one of event 2.
  expect(await putOpen(aContent({ links: [] }), seen.version)).toMatchObject(conflict)
  const content = () => adminApi.call('GET', '/api/raffle/content/1')
  const before = (await content()).body
  expect((await putOpen(aContent({ prizes: [aPrize({ value: '$1' })] }))).status).toBe(200)
  await adminApi.deps.state.refresh()
  expect((await content()).body).toEqual(before)
})

test('winners and prizes of the next event are those of its content, and no form says others', async () => {
  const prizes = [aPrize(), aPrize({ kind: 'token', amount: 500 })]
  await saveNext(aContent({ prizes }))
  const promised = { winners: 2, prizes: [{ kind: 'goods' }, { kind: 'token', amount: 500 }] }
  expect((await adminApi.ask('GET', `${path}/next-terms`)).body).toMatchObject({ next: promised })
  const patch = (body: object) => adminApi.ask('PATCH', `${path}/config`, body)
  await endEvent()
  const refused = { status: 422, body: { code: 'UNKNOWN_FIELD' } }
  expect(await patch({ drawDate, winners: 5 })).toMatchObject(refused)
  expect(await patch({ drawDate })).toMatchObject({ status: 200, body: promised })
})

test('what a discarded draft promised is gone', async () => {
  await putOpen(aContent())
  const { body } = await saveNext(aContent({ prizes: [aPrize({ copies: 3 })] }))
  expect(await terms()).toMatchObject({ winners: '3' })
  const discarded = await adminApi.ask('DELETE', `${path}/next-content?version=${body.version}`)
  expect(discarded).toMatchObject({
    status: 200,
    body: { draft: null, next: aContent(), contentSha256: contentSha256(aContent()) },
  })
  expect(await terms()).toMatchObject({ winners: '1', contentSha256: contentSha256(aContent()) })
})

test('a change that ends in the same content is none', async () => {
  await putOpen(aContent())
  const { version } = await getOpen()
  const event = await changeContent(adminApi.db, aContent(), { revision: version })
  expect(event.revision).toBe(version)
})
