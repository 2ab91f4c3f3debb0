import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { EventPage, PublicContent } from '../../core/content/event-content.ts'
import { contentSha256, promisedText, textSha256 } from '../../core/content/promised.ts'
import type { PublicDrawnTicket } from '../../core/live/public.ts'
import { changeContent } from '../../db/content/contents.ts'
import { events } from '../../db/schema/index.ts'
import { openAdminSession } from '../../e2e/lab/admin-api.ts'
import { openApi } from '../../e2e/lab/api.ts'
import { aContent, aPrize } from '../../e2e/lab/content.ts'
import { openDrawWorld } from '../../e2e/lab/draw-story.ts'
import { foldTo, paid } from '../../e2e/lab/ledger-story.ts'
import { forEachTest, forTest } from '../../e2e/lab/opened.ts'
import { withOtherPast } from '../../e2e/lab/other-past.ts'
import { daysFromNow } from '../../e2e/lab/test-time.ts'
import { until } from '../../e2e/lab/until.ts'

const adminApi = forEachTest(openAdminSession)

/** As the notification of a commit has it done. */
const told = () => adminApi.deps.state.refresh()
const page = async (number = 1): Promise<EventPage> => {
  await told()
  return (await adminApi.call('GET', `/api/raffle/event/${number}`)).body
}
const save = (content = aContent()) =>
  adminApi.db.transaction(async (tx) => {
    const [event] = await tx.select().from(events).where(sql`archived_at is null`)
    return changeContent(tx, content, { revision: event?.revision as number })
  })
const set = (values: string) => adminApi.db.execute(sql.raw(`update events set ${values}`))

test('the page of a running event tells its content, its terms and its state, as they stand', async () => {
  await save()
  expect(await page()).toMatchObject({
    ...{
      eventNumber: 1,
      state: 'on-sale',
      isArchived: false,
      ticketPrice: 300,
      ticketsSold: 0,
      minTickets: 100,
    },
    ...{
      content: aContent(),
      contentSha256: contentSha256(aContent()),
      result: null,
      prizes: [],
    },
    ...{
      saleEnd: null,
      drawDate: null,
      entropy: 'blocks',
      hasLedger: false,
      refundReason: null,
    },
    changes: [{ field: 'content', from: null, to: contentSha256(aContent()) }],
  })
  const { terms, termsSha256 } = await page()
  const config = (await adminApi.call('GET', '/api/raffle/config')).body
  expect({ terms, termsSha256 }).toEqual({ terms: config.terms, termsSha256: config.termsSha256 })
  await set('opened_at = null')
  await save(aContent({ links: [] }))
  expect(await page()).toMatchObject({ state: 'soon', content: { links: [] } })
  await set(
    "opened_at = now(), sale_end = now() - interval '1 second', draw_date = now() + interval '1 minute'",
  )
  await adminApi.db.execute(sql`update house set version = version + 1`)
  expect(await page()).toMatchObject({ state: 'sale-over' })
})

test('an event from before contents were kept tells its terms alone', async () => {
  expect(await page()).toMatchObject({
    content: null,
    contentSha256: null,
    state: 'on-sale',
  })
  expect((await adminApi.call('GET', '/api/raffle/content/1')).body).toEqual({
    ...{ eventNumber: 1, content: null, contentSha256: null, promised: null },
  })
})

test('what is promised is told as the text that the SHA-256 of the terms is of', async () => {
  await save(aContent({ prizes: [aPrize({ copies: 2 }), aPrize({ kind: 'token', amount: 500 })] }))
  await told()
  const content: PublicContent = (await adminApi.call('GET', '/api/raffle/content/1')).body
  expect(content.promised).toBe(promisedText(content.content as never))
  expect(textSha256(content.promised as string)).toBe(content.contentSha256)
  const { body: config } = await adminApi.call('GET', '/api/raffle/config')
  expect(config.terms.trimEnd().split(',').at(-1)).toBe(content.contentSha256)
})

test('an event that does not exist is a 404, whatever its number', async () => {
  for (const what of ['event', 'content', 'calendar'])
    for (const number of ['2', '0', '-1', '1.5', 'x', '1e3', '99999999999', '%2e%2e'])
      expect([what, number, (await adminApi.call('GET', `/api/raffle/${what}/${number}`)).status]).toEqual([
        what,
        number,
        404,
      ])
})

test('equal bytes have one tag, an unchanged answer is a 304, and a change is told at once', async () => {
  await save()
  await told()
  for (const what of ['event', 'content']) {
    const path = `/api/raffle/${what}/1`
    const first = await adminApi.send('GET', path)
    const etag = first.headers.get('etag') as string
    expect(first.headers.get('access-control-allow-origin')).toBe('*')
    const again = await adminApi.send('GET', path, { headers: { 'if-none-match': etag } })
    expect([again.status, await again.text()]).toEqual([304, ''])
    const text = { en: what, ko: what }
    await save(aContent({ lead: text }))
    await told()
    const changed = await adminApi.send('GET', path, { headers: { 'if-none-match': etag } })
    expect(changed.status).toBe(200)
    expect((await changed.json()).content).toMatchObject({ lead: text })
  }
})

test('with the database gone the last answer is served', async () => {
  const api = await forTest(openApi())
  const path = '/api/raffle/event/1'
  const before = await (await api.call('GET', path)).text()
  await api.db.execute(sql`alter table events rename to events_away`)
  await api.db.execute(sql`update house set version = version + 1`)
  await until(() => api.state.isStale)
  expect(await (await api.call('GET', path)).text()).toBe(before)
  await api.db.execute(sql`alter table events_away rename to events`)
})

test('a drawn event tells its winners only once the drawing has ended, and none while they are hidden', async () => {
  await save(aContent({ prizes: [aPrize({ copies: 2 })] }))
  const world = await forTest(openDrawWorld({ database: { ...adminApi, close: async () => undefined } }))
  await world.toDraw()
  expect(await page()).toMatchObject({ state: 'sale-over', hasLedger: true, result: null })
  await world.draw()
  const drawing = await page()
  expect(drawing).toMatchObject({ state: 'sale-over', result: null, prizes: [] })
  const [draw] = await adminApi.db.execute<{ random: string }>(
    sql`select random_number::text as random from draws`,
  )
  expect(JSON.stringify(drawing)).not.toContain(draw?.random)
  await withOtherPast(adminApi.db, (tx) =>
    tx.execute(sql`update draws set drawn_at = drawn_at - interval '11 seconds'`),
  )
  await adminApi.db.execute(sql`update house set version = version + 1`)
  const drawn = await page()
  const all: PublicDrawnTicket[] = (await adminApi.call('GET', '/api/raffle/winners')).body
  const winners = all.flatMap(({ kind, eventNumber, ...winner }) => (kind === 'winner' ? [winner] : []))
  expect(drawn).toMatchObject({
    state: 'drawn',
    ticketsSold: 39,
    result: { randomNumber: draw?.random, winners },
    prizes: [{ place: 1 }, { place: 2 }],
  } as never)
  const proof = (await adminApi.call('GET', '/api/raffle/proof/1')).body
  expect(drawn.result).toMatchObject({ ledgerSha256: proof.list.sha256, commitment: proof.commitment })
  expect(drawn.terms).toBe(proof.terms)
  expect((await adminApi.ask('DELETE', '/api/admin/raffle/winner')).status).toBe(200)
  expect(await page()).toMatchObject({ state: 'drawn', result: null, prizes: [] })
  const drawDate = daysFromNow(3).toISOString()
  expect((await adminApi.ask('PATCH', '/api/admin/raffle/config', { drawDate })).status).toBe(200)
  expect(await page()).toEqual({ ...drawn, isArchived: true, changes: expect.anything() })
  expect(await page(2)).toMatchObject({
    isArchived: false,
    content: drawn.content,
    contentSha256: drawn.contentSha256,
  })
})

test('an event that gives its money back says so, until everybody has it, and why', async () => {
  const world = await forTest(
    openDrawWorld({ database: { ...adminApi, close: async () => undefined }, minTickets: 1_000 }),
  )
  await world.toDraw()
  await world.draw()
  expect(await page()).toMatchObject({
    state: 'refunding',
    refundReason: 'minimum',
    result: null,
    content: null,
  })
  await adminApi.db.execute(sql`insert into outgoing_transfers (transaction_hash, wallet, recipient, token, units, total,
      block_number, block_hash, block_time, transaction_index, first_log_index)
    select '0x' || repeat('ab', 32), wallet, payer, token, sum(units), sum(units), 1, '0x' || repeat('cd', 32), now(), 0, 0
    from owed_payments group by wallet, payer, token`)
  await adminApi.db.execute(sql`update house set version = version + 1`)
  expect(await page()).toMatchObject({ state: 'refunded' })
})

test('an event that ended without a ticket is archived undrawn', async () => {
  await set(`sale_start = now() - interval '20 seconds', sale_end = now() - interval '11 seconds',
    draw_date = now() - interval '1 second', frozen_at = now(), ledger_sha256 = '0x00', ledger_lines = 0`)
  const drawDate = daysFromNow(3).toISOString()
  expect((await adminApi.ask('PATCH', '/api/admin/raffle/config', { drawDate })).status).toBe(200)
  expect(await page(1)).toMatchObject({ state: 'archived-undrawn', isArchived: true })
  expect((await page(2)).changes.map(({ field }) => field)).toEqual(['saleEndDate', 'drawDate'])
})

test('the calendar has sale end and draw in both languages, and a moved date moves its entries', async () => {
  const get = async (query = '') => {
    await told()
    const response = await adminApi.send('GET', `/api/raffle/calendar/1${query}`)
    return {
      status: response.status,
      headers: response.headers,
      lines: (await response.text()).split('\r\n'),
    }
  }
  expect((await get()).status).toBe(404)
  await save(
    aContent({
      title: { en: 'A; b,\nc\\d', ko: '가나다라마바사아자차카타파하 '.repeat(4).trim().slice(0, 40) },
    }),
  )
  const moveTo = async (drawDate: string) => {
    await set(
      `draw_date = '${drawDate}', sale_end = timestamptz '${drawDate}' - interval '10 seconds', revision = revision + 1`,
    )
    await adminApi.db.execute(sql`update house set version = version + 1`)
  }
  await moveTo('2099-09-30T12:00:00Z')
  const { headers, lines } = await get()
  expect(headers.get('content-type')).toBe('text/calendar; charset=utf-8')
  expect(lines[0]).toBe('BEGIN:VCALENDAR')
  expect(lines.slice(-2)).toEqual(['END:VCALENDAR', ''])
  expect(lines.filter((line) => line.startsWith('UID:'))).toEqual([
    'UID:event-1-sale@localhost',
    'UID:event-1-draw@localhost',
  ])
  expect(lines.filter((line) => line.startsWith('DTSTART:'))).toEqual([
    'DTSTART:20990930T115950Z',
    'DTSTART:20990930T120000Z',
  ])
  expect(lines).toContain('SUMMARY:Blockdraw: draw of event 1')
  expect(lines).toContain('DESCRIPTION:A\\; b\\, c\\\\d')
  const korean = await get('?lang=ko')
  expect(korean.lines).toContain('SUMMARY:Blockdraw: 이벤트 1 추첨')
  for (const line of [...lines, ...korean.lines]) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
  expect((await get('?lang=fr')).status).toBe(422)
  const sequences = (text: readonly string[]) =>
    text.filter((line) => line.startsWith('SEQUENCE:')).map((line) => Number(line.slice(9)))
  await moveTo('2099-10-01T12:00:00Z')
  const moved = await get()
  expect(moved.lines).toContain('DTSTART:20991001T120000Z')
  expect(moved.lines.filter((line) => line.startsWith('UID:'))).toEqual(
    lines.filter((line) => line.startsWith('UID:')),
  )
  expect(Math.min(...sequences(moved.lines))).toBeGreaterThan(Math.max(...sequences(lines)))
  const stamp = (name: string, text: readonly string[]) =>
    text.find((line) => line.startsWith(`${name}:`))?.slice(name.length + 1) as string
  expect(stamp('LAST-MODIFIED', moved.lines) >= stamp('LAST-MODIFIED', lines)).toBe(true)
  expect(stamp('DTSTAMP', moved.lines)).toBe(stamp('LAST-MODIFIED', moved.lines))
  // The same facts are the same bytes.
  const etag = moved.headers.get('etag') as string
  const same = await adminApi.send('GET', '/api/raffle/calendar/1', { headers: { 'if-none-match': etag } })
  expect(same.status).toBe(304)
  await foldTo(adminApi.db, adminApi.event, 600, [paid(adminApi.event, { block: 600, cents: 900 })])
  expect((await get()).headers.get('etag')).toBe(etag)
})
