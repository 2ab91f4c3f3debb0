import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { watchWallet } from '../../db/event/events.ts'
import { openApi } from '../../e2e/lab/api.ts'
import { openWallet, reckonTo, sent } from '../../e2e/lab/flows-story.ts'
import { alice, foldTo, operator, paid } from '../../e2e/lab/ledger-story.ts'
import { forFile } from '../../e2e/lab/opened.ts'

const api = await forFile(openApi())
const get = (headers: Record<string, string> = {}) => api.call('GET', '/api/raffle/flows/1', { headers })

test('is not found while nothing was reckoned, or without an event of this number', async () => {
  for (const number of ['1', '2']) {
    const answer = await api.call('GET', `/api/raffle/flows/${number}`)
    expect([answer.status, await answer.json()]).toMatchObject([404, { code: 'NOT_FOUND' }])
  }
  expect((await api.call('GET', '/api/raffle/flows/x')).status).toBe(404)
})

test('streams the file with its SHA-256, and answers who has it already with 304', async () => {
  await watchWallet(api.db, operator)
  await openWallet(api.db, api.event, { block: 0, cents: 7_00 })
  await foldTo(api.db, api.event, 9, [paid(api.event, { block: 2, cents: 99_00 })])
  await sent(api.db, api.event, { block: 3, to: alice, cents: 1_00 })
  await reckonTo(api.db, api.event, 9)
  const answer = await get()
  const text = await answer.text()
  const sha256 = `0x${createHash('sha256').update(text).digest('hex')}`
  expect(text.split('\n')).toHaveLength(6)
  expect([answer.status, answer.headers.get('etag'), answer.headers.get('content-type')]).toEqual([
    ...[200, `"${sha256}"`, 'text/csv; charset=utf-8'],
  ])
  expect(answer.headers.get('access-control-expose-headers')).toBe('etag')
  const again = await get({ 'if-none-match': `"${sha256}"` })
  expect([again.status, await again.text()]).toEqual([304, ''])
})

test('another block, or a change among older transfers, is another file', async () => {
  const etag = async () => {
    const answer = await get()
    await answer.text()
    return answer.headers.get('etag')
  }
  const first = await etag()
  expect(await etag()).toBe(first)
  await api.db.execute(sql`insert into refund_watch (height, hash) values (9, '0x')`)
  await api.db.execute(sql`update operator_transfers set recipient = ${operator}`)
  const second = await etag()
  await reckonTo(api.db, api.event, 10)
  expect(new Set([first, second, await etag()]).size).toBe(3)
})
