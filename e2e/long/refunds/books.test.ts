import { getAddress } from 'viem'
import { expect, test } from 'vitest'
import { unitsOf } from '../../../core/money.ts'
import { forEachTest } from '../../lab/opened.ts'
import { openDesk } from '../../lab/refund-desk.ts'

const desk = forEachTest(openDesk)

test('the books of a payer name every transaction, of every batch, and what each counts as', async () => {
  const [alice, bob] = desk.chain.buyers
  await desk.chain.submitPayment({ from: alice, cents: 200 })
  await desk.settle()
  const [leftover] = (await desk.execute('leftover')).body.refundTransactions
  await desk.offer([leftover.id])
  const paid = await desk.transfer(alice, unitsOf(200))
  await desk.post(`/refunds/${leftover.id}/sent`, { transactionHash: paid })
  await desk.settle()
  const [first] = await desk.missedMinimum()
  const prize = await desk.transfer(alice, unitsOf(250_000))
  await desk.settle()
  const marked = { transactionHash: prize, position: 0, notRefund: true }
  expect((await desk.post('/refunds/transfers', marked)).status).toBe(200)
  await desk.offer([first])

  const { body } = await desk.get(`/refunds/payers/${alice}?event=1`)
  expect(body).toMatchObject({
    payer: getAddress(alice),
    ...{
      owed: `${unitsOf(800)}`,
      paid: `${unitsOf(200)}`,
      inFlight: `${unitsOf(600)}`,
      held: '0',
      left: '0',
    },
    rows: [
      { id: leftover.id, kind: 'leftover', state: 'settled', settledAt: expect.any(String) },
      { id: first, kind: 'event', state: 'offered', dueUnits: `${unitsOf(600)}` },
    ],
    payments: [
      { rowId: leftover.id, amount: 200, ticketCount: 0, reason: 'underpaid', paidBy: null },
      { rowId: first, amount: 600, ticketCount: 2, reason: null },
    ],
    transfers: [
      { transactionHash: paid, rowId: leftover.id, amount: 200, notRefund: false, viaRegister: false },
      { transactionHash: prize, rowId: null, amount: 250_000, notRefund: true },
    ],
    register: [],
  })
  const list = (await desk.get(`/refunds/payers?find=${alice.slice(2, 12)}&group=underWay`)).body
  expect(list).toMatchObject({
    groups: { left: 2, underWay: 1, held: 0, done: 0 },
    found: { payers: 1, amount: 800 },
    payers: [{ payer: getAddress(alice), rows: [{ id: leftover.id }, { id: first }] }],
  })
  expect((await desk.get(`/refunds/payers/${`0x${'99'.repeat(20)}`}`)).status).toBe(404)
  expect((await desk.get('/refunds/payers?group=mine')).body.code).toBe('INVALID_VALUE')
  expect((await desk.get(`/refunds/payers?find=${bob}`)).body.found).toEqual({ payers: 1, amount: 900 })
})
