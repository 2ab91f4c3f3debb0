import { type Address, getAddress } from 'viem'
import { beforeEach, expect, test } from 'vitest'
import { unitsOf } from '../../../core/money.ts'
import { forEachTest } from '../../lab/opened.ts'
import { openDesk } from '../../lab/refund-desk.ts'

const desk = forEachTest(openDesk)
let alice: Address
let bob: Address

beforeEach(() => {
  ;[alice, bob] = desk.chain.buyers
})

test('R2 an answer that was lost is never sent again, and settles by what the final chain says', async () => {
  const [first] = await desk.missedMinimum()
  await desk.offer([first])
  await desk.transfer(alice, unitsOf(600))
  await desk.chain.mine()
  expect((await desk.offer([first])).body.rows ?? []).toEqual([])
  await desk.settle()
  expect(await desk.row(first)).toMatchObject({ state: 'settled', dueUnits: '0' })
  const { body } = await desk.execute()
  expect(body.refundTransactions).toHaveLength(2)
  expect(body.summary.totalRefunds).toBe(3)
})

test('I16 what never came is offered again only when its nonce has gone to something else', async () => {
  const [first, second] = await desk.missedMinimum()
  await desk.offer([first])
  await desk.settle()
  expect(await desk.row(first)).toMatchObject({ state: 'offered' })
  const { rows } = (await desk.offer([second])).body
  const hash = await desk.transfer(bob, BigInt(rows[0].units))
  await desk.post(`/refunds/${second}/sent`, { transactionHash: hash })
  await desk.settle()
  // The lost one may still carry the number after that.
  expect(await desk.row(first)).toMatchObject({ state: 'offered' })
  expect(await desk.row(second)).toMatchObject({ state: 'settled' })
  await desk.cancel(await desk.nonce())
  await desk.settle()
  // Its page may still wait for the wallet.
  expect(await desk.row(first)).toMatchObject({ state: 'offered' })
  await desk.abandon()
  await desk.settle()
  expect(await desk.row(first)).toMatchObject({ state: 'failed', reason: 'replaced' })
  expect((await desk.offer([first])).body.rows).toHaveLength(1)
})

test('I16 a page that waits keeps its rows, and what it may sign later is counted', async () => {
  const [first] = await desk.missedMinimum()
  const { rows } = (await desk.offer([first])).body
  await desk.cancel(await desk.nonce())
  await desk.chain.mine()
  await desk.abandon()
  const kept = await desk.post('/refunds/keep', {
    rows: [{ id: first, revision: rows[0].revision }],
    nonce: await desk.nonce(),
  })
  expect(kept.body).toEqual({ ids: [first] })
  await desk.settle()
  expect(await desk.row(first)).toMatchObject({ state: 'offered' })
  await desk.abandon()
  await desk.settle()
  expect(await desk.row(first)).toMatchObject({ state: 'offered' })
  const stale = await desk.post('/refunds/keep', { rows: [{ id: first, revision: 99 }], nonce: 0 })
  expect(stale.body).toEqual({ ids: [] })
})

test('R3 speeding up changes the hash and cancelling ends it: facts decide', async () => {
  const [first, second] = await desk.missedMinimum()
  const at = await desk.nonce()
  await desk.offer([first])
  const slow = await desk.transfer(alice, unitsOf(600), { nonce: at })
  await desk.post(`/refunds/${first}/sent`, { transactionHash: slow })
  const fast = await desk.transfer(alice, unitsOf(600), { nonce: at, gasPrice: 10n ** 10n })
  await desk.settle()
  expect(await desk.row(first)).toMatchObject({ state: 'settled', transactionHash: fast })
  expect((await desk.get(`/refunds/${first}`)).body).toMatchObject({
    payer: getAddress(alice),
    offered: null,
    payments: [{ amount: 600, ticketCount: 2, reason: null }],
    transfers: [{ transactionHash: fast, to: getAddress(alice), amount: 600 }],
  })
  expect((await desk.get('/refunds/999')).status).toBe(404)
  await desk.offer([second])
  const doomed = await desk.transfer(bob, unitsOf(900))
  await desk.post('/refunds/sent', { ids: [second], transactionHash: doomed })
  await desk.cancel(at + 1)
  await desk.settle()
  expect(await desk.row(second)).toMatchObject({ state: 'failed', reason: 'replaced' })
})

test('R2 money sent by hand, before or after the batch, is subtracted; what is under way stops the desk', async () => {
  const [first, second, third] = await desk.missedMinimum(async () => {
    await desk.chain.mine()
    await desk.transfer(alice, unitsOf(250))
  })
  expect((await desk.row(first))?.dueUnits).toBe(`${unitsOf(350)}`)
  await desk.transfer(bob, unitsOf(900))
  const busy = await desk.offer([second])
  expect([busy.status, busy.body.code]).toEqual([409, 'TX_PENDING'])
  await desk.settle()
  expect(await desk.row(second)).toMatchObject({ state: 'settled' })
  const { rows } = (await desk.offer([first, second, third])).body
  expect(rows.map((one: { units: string }) => one.units)).toEqual([`${unitsOf(350)}`, `${unitsOf(1_200)}`])
})

test('R2 a payment for something else is named as such and counts no more', async () => {
  const [first] = await desk.missedMinimum()
  const prize = await desk.transfer(alice, unitsOf(250_000))
  await desk.settle()
  expect(await desk.row(first)).toMatchObject({ state: 'planned', reason: 'covered', dueUnits: '0' })
  expect((await desk.offer([first])).body.rows).toEqual([])
  const { body } = await desk.get('/refunds')
  expect(body.summary.unallocated).toMatchObject([{ transactionHash: prize, position: 0, amount: 250_000 }])
  const marked = { transactionHash: prize, position: 0, notRefund: true }
  expect((await desk.post('/refunds/transfers', marked)).status).toBe(200)
  expect(await desk.row(first)).toMatchObject({ state: 'planned', reason: null, dueUnits: `${unitsOf(600)}` })
})

test('a hash that was reported without an offer settles by facts, and a wrong one frees nothing', async () => {
  const [first, second] = await desk.missedMinimum()
  const hash = await desk.transfer(alice, unitsOf(600))
  expect((await desk.post(`/refunds/${first}/sent`, { transactionHash: hash })).body).toMatchObject({
    state: 'sent',
  })
  await desk.settle()
  expect(await desk.row(first)).toMatchObject({ state: 'settled', transactionHash: hash })
  await desk.offer([second])
  await desk.post(`/refunds/${second}/sent`, { transactionHash: hash })
  await desk.settle()
  expect(await desk.row(second)).toMatchObject({ state: 'sent' })
  expect((await desk.post(`/refunds/${second}/lost`)).body.code).toBe('TX_PENDING')
  expect((await desk.post('/refunds/999/sent', { transactionHash: hash })).status).toBe(404)
})

test('I10 a refund whose block is replaced below finality is in flight again, and settles where it is mined anew', async () => {
  const [first] = await desk.missedMinimum()
  const at = await desk.nonce()
  await desk.offer([first])
  const hash = await desk.transfer(alice, unitsOf(600), { nonce: at })
  await desk.post(`/refunds/${first}/sent`, { transactionHash: hash })
  await desk.settle()
  expect(await desk.row(first)).toMatchObject({ state: 'settled' })
  await desk.chain.reorg(4)
  await desk.watch()
  expect(await desk.row(first)).toMatchObject({ state: 'sent', transactionHash: hash })
  expect((await desk.offer([first])).body.rows ?? []).toEqual([])
  const again = await desk.transfer(alice, unitsOf(600), { nonce: at, gasPrice: 2n * 10n ** 9n })
  await desk.chain.finalize()
  await desk.watch()
  expect(await desk.row(first)).toMatchObject({ state: 'settled', transactionHash: again })
})
