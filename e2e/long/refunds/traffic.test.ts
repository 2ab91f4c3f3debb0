import type { Address } from 'viem'
import { beforeEach, expect, test } from 'vitest'
import { unitsOf } from '../../../core/money.ts'
import { forEachTest } from '../../lab/opened.ts'
import { openDesk } from '../../lab/refund-desk.ts'

const desk = forEachTest(openDesk)
let bob: Address

beforeEach(() => {
  ;[, bob] = desk.chain.buyers
})

test('an offer waits for the wallet’s last transaction to become final, and holds up nobody meanwhile', async () => {
  const [first, second] = await desk.missedMinimum()
  await desk.transfer(bob, unitsOf(900))
  const waiting = desk.offer([first, second])
  const other = await desk.post('/refunds/keep', { rows: [{ id: first, revision: 1 }], nonce: 0 })
  expect([other.status, other.body]).toEqual([200, { ids: [] }])
  await desk.settle()
  const { status, body } = await waiting
  expect(status).toBe(200)
  expect(body.rows.map(({ id }: { id: number }) => id)).toEqual([first])
})

test('an offer says after ten seconds that the wallet has something under way', async () => {
  const [first] = await desk.missedMinimum()
  await desk.transfer(bob, unitsOf(1))
  const began = performance.now()
  const { status, body } = await desk.offer([first])
  expect([status, body.code]).toEqual([409, 'TX_PENDING'])
  expect(performance.now() - began).toBeGreaterThan(9_500)
})
