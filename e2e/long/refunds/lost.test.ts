import { sql } from 'drizzle-orm'
import type { Address } from 'viem'
import { beforeEach, expect, test } from 'vitest'
import { unitsOf } from '../../../core/money.ts'
import { operator } from '../../lab/chain.ts'
import { forEachTest } from '../../lab/opened.ts'
import { openDesk } from '../../lab/refund-desk.ts'

const desk = forEachTest(openDesk)
let alice: Address

beforeEach(() => {
  ;[alice] = desk.chain.buyers
})

const hours = (count: number) =>
  desk.db.execute(sql`update refund_rows set offered_at = offered_at - make_interval(hours => ${count})`)
const lost = (id: number) => desk.post(`/refunds/${id}/lost`)
/** All that the wallet's nonces can prove. */
async function spendNonces(): Promise<void> {
  await desk.cancel(await desk.nonce())
  await desk.settle()
}
const nextDay = () => hours(25)
const missing = { state: 'offered' }
const freed = { state: 'failed', reason: 'replaced' }

test('a request to a wallet that picks its own nonces is free after a day and an administrator’s word', async () => {
  const [first] = await desk.missedMinimum()
  await desk.offer([first], { relayed: true })
  await spendNonces()
  await desk.abandon()
  await desk.settle()
  expect(await desk.row(first)).toMatchObject(missing)
  const early = await lost(first)
  expect([early.status, early.body.code]).toEqual([409, 'TX_PENDING'])
  await nextDay()
  await desk.settle()
  expect(await desk.row(first)).toMatchObject(missing)
  expect((await lost(first)).status).toBe(200)
  await desk.settle()
  expect(await desk.row(first)).toMatchObject(freed)
  expect((await desk.offer([first])).body.rows).toHaveLength(1)
})

test('a word alone frees nothing that the wallet’s nonces may still bring', async () => {
  const [first] = await desk.missedMinimum()
  await desk.offer([first], { relayed: true })
  await nextDay()
  expect((await lost(first)).status).toBe(200)
  await desk.settle()
  expect(await desk.row(first)).toMatchObject(missing)
  await spendNonces()
  expect(await desk.row(first)).toMatchObject(freed)
})

test('a popup that is approved after its nonces were used pays nobody twice', async () => {
  const [first] = await desk.missedMinimum()
  await desk.offer([first], { relayed: true })
  await spendNonces()
  await desk.abandon()
  await desk.settle()
  const again = (await desk.offer([first])).body.rows ?? []
  for (const { units } of again) await desk.transfer(alice, BigInt(units))
  await desk.transfer(alice, unitsOf(600))
  await desk.settle()
  expect((await desk.paidOut()).get(alice)).toBe(unitsOf(600))
  expect(await desk.row(first)).toMatchObject({ state: 'settled' })
})

test('a call that does not say how the wallet takes nonces is taken for one that picks its own', async () => {
  const [first] = await desk.missedMinimum()
  await desk.post('/refunds/offer', { ids: [first], wallet: operator, nonce: await desk.nonce() })
  await spendNonces()
  await desk.abandon()
  await desk.settle()
  expect(await desk.row(first)).toMatchObject(missing)
})

test('a delegated account may be sent for by others, so its nonces alone free nothing, and the row says so', async () => {
  const [first, second] = await desk.missedMinimum()
  await desk.offer([first])
  await desk.chain.rpc('anvil_setCode', [operator, `0xef0100${'ab'.repeat(20)}`])
  await spendNonces()
  await desk.abandon()
  await desk.settle()
  expect(await desk.row(first)).toMatchObject({ ...missing, flight: { relayed: true } })
  await desk.offer([second])
  expect(await desk.row(second)).toMatchObject({ state: 'offered', flight: { relayed: true } })
  await desk.chain.rpc('anvil_setCode', [operator, '0x'])
})

test('a transaction that the wallet answered and then replaced frees its row by its own nonce', async () => {
  const [first] = await desk.missedMinimum()
  const at = await desk.nonce()
  await desk.offer([first], { relayed: true })
  const doomed = await desk.transfer(alice, unitsOf(600), { nonce: at })
  await desk.post(`/refunds/${first}/sent`, { transactionHash: doomed })
  await desk.watch()
  await desk.cancel(at)
  await desk.settle()
  expect(await desk.row(first)).toMatchObject(freed)
})

test('what a wallet sent under another hash settles its row, and the next row of the payer is not held up', async () => {
  const [first] = await desk.missedMinimum()
  await desk.offer([first], { relayed: true })
  await desk.transfer(alice, unitsOf(600))
  await desk.settle()
  expect((await desk.get(`/refunds/${first}`)).body).toMatchObject({ offered: null })
})

test('a report without an offer waits a day for a word too, and the word asks for a fresh password', async () => {
  const [first] = await desk.missedMinimum()
  await desk.post(`/refunds/${first}/sent`, { transactionHash: `0x${'5'.repeat(64)}` })
  expect((await lost(first)).body.code).toBe('TX_PENDING')
  await nextDay()
  await desk.db.execute(sql`update sessions set fresh_at = now() - interval '11 minutes'`)
  expect((await lost(first)).body.code).toBe('REAUTH_REQUIRED')
  await desk.db.execute(sql`update sessions set fresh_at = now()`)
  expect((await lost(first)).status).toBe(200)
  await desk.settle()
  expect(await desk.row(first)).toMatchObject(freed)
  const audit = await desk.db.execute<{ outcome: string }>(
    sql`select outcome from audit where action = 'refund.lost' order by id`,
  )
  expect(audit.map(({ outcome }) => outcome)).toEqual(['409', '403', '200'])
})

test('nothing is lost of a row that nobody was asked to pay, or that the nonces decide about', async () => {
  const [first, second] = await desk.missedMinimum()
  await desk.offer([second])
  await nextDay()
  for (const id of [first, second]) expect((await lost(id)).body.code).toBe('TX_PENDING')
  expect((await lost(999)).status).toBe(404)
})

test('a request to a wallet whose key is lost is free after a word on both: nobody can use up its nonces', async () => {
  const [first] = await desk.missedMinimum()
  await desk.offer([first], { relayed: true })
  await nextDay()
  const told = await desk.post('/refunds/wallets/lost', { wallet: operator, note: 'the phone is gone' })
  expect(told.status).toBe(200)
  await desk.settle()
  expect(await desk.row(first)).toMatchObject(missing)
  expect((await lost(first)).status).toBe(200)
  await desk.settle()
  expect(await desk.row(first)).toMatchObject(freed)
})
