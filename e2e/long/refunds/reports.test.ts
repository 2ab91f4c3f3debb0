import { sql } from 'drizzle-orm'
import type { Address } from 'viem'
import { beforeEach, expect, test } from 'vitest'
import { unitsOf } from '../../../core/money.ts'
import { forEachTest } from '../../lab/opened.ts'
import { openDesk } from '../../lab/refund-desk.ts'

const desk = forEachTest(openDesk)
let alice: Address

beforeEach(() => {
  ;[alice] = desk.chain.buyers
})

const elevenMinutesLater = () =>
  desk.db.execute(sql`update sessions set fresh_at = now() - interval '11 minutes'`)
const report = (id: number, transactionHash: string) => desk.post(`/refunds/${id}/sent`, { transactionHash })

test('a transaction of a row that no wallet was offered is taken only with a fresh password', async () => {
  const [first, second] = await desk.missedMinimum()
  await desk.offer([second])
  const hash = await desk.transfer(alice, unitsOf(600))
  await elevenMinutesLater()
  const single = await report(first, hash)
  expect([single.status, single.body.code]).toEqual([403, 'REAUTH_REQUIRED'])
  const mixed = await desk.post('/refunds/sent', { ids: [first, second], transactionHash: hash })
  expect([mixed.status, mixed.body.code]).toEqual([403, 'REAUTH_REQUIRED'])
  expect(await desk.row(first)).toMatchObject({ state: 'planned' })
  expect(await desk.row(second)).toMatchObject({ state: 'offered' })
})

test('what the wallet answered to an offer needs no password, nor does a row that is settled by then', async () => {
  const [first] = await desk.missedMinimum()
  await desk.offer([first])
  const hash = await desk.transfer(alice, unitsOf(600))
  await elevenMinutesLater()
  expect((await report(first, hash)).body).toMatchObject({ state: 'sent', transactionHash: hash })
  await desk.settle()
  expect((await report(first, hash)).body).toMatchObject({ state: 'settled' })
})

test('a page that was left behind cannot answer what was handed out after it, one that is not can', async () => {
  const [first] = await desk.missedMinimum()
  const [old] = (await desk.offer([first])).body.rows ?? []
  await desk.post('/refunds/rejected', { rows: [{ id: first, revision: old?.revision }] })
  const [now] = (await desk.offer([first])).body.rows ?? []
  const hash = await desk.transfer(alice, unitsOf(600))
  const tell = (revision: number | undefined) =>
    desk.post('/refunds/sent', { ids: [first], claims: [{ id: first, revision }], transactionHash: hash })
  const late = await tell(old?.revision)
  expect([late.status, late.body.code]).toEqual([409, 'VERSION_CONFLICT'])
  expect(await desk.row(first)).toMatchObject({ state: 'offered', transactionHash: null })
  const one = await desk.post(`/refunds/${first}/sent`, { transactionHash: hash, revision: old?.revision })
  expect(one.status).toBe(409)
  expect((await tell(now?.revision)).status).toBe(200)
  expect(await desk.row(first)).toMatchObject({ state: 'sent', transactionHash: hash })
})

test('a second report of a row that was reported without an offer asks for a password again', async () => {
  const [first] = await desk.missedMinimum()
  const hash = await desk.transfer(alice, unitsOf(600))
  expect((await report(first, `0x${'5'.repeat(64)}`)).status).toBe(200)
  await elevenMinutesLater()
  expect((await report(first, hash)).body.code).toBe('REAUTH_REQUIRED')
})
