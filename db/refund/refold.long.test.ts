import type { Address } from 'viem'
import { describe, expect, test } from 'vitest'
import { unitsOf } from '../../core/money.ts'
import { testDb } from '../../e2e/lab/database.ts'
import { inFuture, rules } from '../../e2e/lab/event-form.ts'
import { alice, bob, paid } from '../../e2e/lab/ledger-story.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { RefundTrail } from '../../e2e/lab/refund-ledger.ts'
import { updateEvent } from '../event/update.ts'
import { refundRows } from '../schema/index.ts'
import { answerReaddress, askReaddress } from './decisions.ts'
import { listUnallocated, totalsOf } from './list.ts'
import { refundFacts } from './totals.ts'

const own = forEachTest(testDb)
const trail = forEachTest(() => RefundTrail.open(own))

/** A payment too small for a ticket, given back and settled. */
async function settledLeftover(cents = 200) {
  const payment = await trail.pay(alice, cents)
  await trail.prepare('leftover')
  await trail.offer()
  await trail.mine()
  expect((await trail.rows()).map(({ row }) => row.state)).toEqual(['settled'])
  return payment
}
const rows = async () => (await trail.rows()).map(({ row, toSend }) => [row.amount, row.state, toSend.amount])
const facts = async (kind: 'event' | 'leftover') =>
  (await refundFacts(trail.db, { kind, eventNumber: 1 })).totalAmount

describe.each([
  ['a hole', false],
  ['a reorg that puts the payment behind its refund', true],
])('I15 a refund that is settled stays paid after %s', (_, isReorg) => {
  test('in the leftovers', async () => {
    const { blockNumber } = await settledLeftover()
    await trail.refold({ from: Number(blockNumber), isReorg })
    await trail.prepare('leftover')
    expect(await trail.offer()).toEqual([])
    expect(await rows()).toEqual([[200, 'settled', 0]])
    expect(await facts('leftover')).toBe(200)
  })

  test('in the batch of refund mode', async () => {
    const { blockNumber } = await settledLeftover()
    await trail.pay(bob, 300)
    await trail.enterRefundMode()
    await trail.refold({ from: Number(blockNumber), isReorg })
    await trail.prepare('leftover')
    await trail.prepare('event')
    expect((await trail.offer()).map(({ to }) => to)).toEqual([bob])
    expect(await facts('event')).toBe(300)
    expect(await facts('leftover')).toBe(200)
  })

  test.each([
    ['offered', false],
    ['sent', true],
  ])('while the row is %s', async (state, isHeard) => {
    const { blockNumber } = await trail.pay(alice, 200)
    await trail.prepare('leftover')
    await trail.offer({ isHeard })
    await trail.refold({ from: Number(blockNumber), isReorg })
    expect(await rows()).toEqual([[200, state, 200]])
    await trail.enterRefundMode()
    await trail.prepare('leftover')
    await trail.prepare('event')
    expect(await trail.offer()).toEqual([])
    await trail.mine()
    expect(await trail.offer()).toEqual([])
    expect(await rows()).toEqual([[200, 'settled', 0]])
  })
})

test('I16 nothing is offered while a payment is removed by a reorg and not found again yet', async () => {
  const { blockNumber } = await trail.pay(alice, 200)
  await trail.prepare('leftover')
  await trail.takeBack(Number(blockNumber))
  expect(await trail.offer()).toEqual([])
  expect(await rows()).toEqual([[0, 'settled', 0]])
  await trail.foldAnew({ from: Number(blockNumber) })
  expect((await trail.offer()).map(({ units }) => units)).toEqual([unitsOf(200)])
})

test('I16 a refund that was found before its payment was found again settles it', async () => {
  const { blockNumber } = await trail.pay(alice, 200)
  await trail.prepare('leftover')
  await trail.offer()
  await trail.takeBack(Number(blockNumber))
  await trail.mine()
  await trail.foldAnew({ from: Number(blockNumber) })
  await trail.prepare('leftover')
  expect(await trail.offer()).toEqual([])
  expect(await rows()).toEqual([[200, 'settled', 0]])
})

test('I16 a reorg that takes the refund while its payment is missing does not free it: it may be mined again', async () => {
  const { blockNumber } = await settledLeftover()
  const from = Number(blockNumber)
  await trail.takeBack(from)
  await trail.watch()
  await trail.rewind(from)
  trail.unmine()
  await trail.foldAnew({ from })
  await trail.watch()
  await trail.prepare('leftover')
  expect(await trail.offer({ isHidden: true })).toEqual([])
  await trail.mine()
  expect(await trail.offer()).toEqual([])
  expect(await rows()).toEqual([[200, 'settled', 0]])
})

test('I16 a reorg that takes a transfer of no row does not free the rows that it had covered', async () => {
  const { blockNumber } = await trail.pay(alice, 50)
  await trail.prepare('leftover')
  await trail.pay(alice, 70)
  await trail.prepare('leftover')
  trail.byHand(alice, 120)
  await trail.mine()
  expect(await rows()).toEqual([
    [50, 'settled', 0],
    [70, 'settled', 0],
  ])
  await trail.rewind(Number(blockNumber) + 2)
  trail.unmine()
  await trail.watch()
  expect(await trail.offer({ isHidden: true })).toEqual([])
  await trail.mine()
  expect(await trail.offer()).toEqual([])
  expect(await rows()).toEqual([
    [50, 'settled', 0],
    [70, 'settled', 0],
  ])
})

test('I15 a larger payment on the new branch is owed the difference, a smaller one leaves a surplus that is shown', async () => {
  const { blockNumber } = await settledLeftover()
  const becomes = (cents: number) => ({
    from: Number(blockNumber),
    change: (payment: (typeof trail.payments)[number]) => ({ ...payment, units: unitsOf(cents) }),
  })
  await trail.refold(becomes(250))
  await trail.prepare('leftover')
  expect(await rows()).toEqual([[250, 'planned', 50]])
  expect((await trail.offer()).map(({ units }) => units)).toEqual([unitsOf(50)])
  await trail.mine()
  expect(await rows()).toEqual([[250, 'settled', 0]])
  await trail.refold(becomes(150))
  await trail.prepare('leftover')
  expect(await trail.offer()).toEqual([])
  expect(await rows()).toEqual([[150, 'settled', 0]])
  expect(await listUnallocated(trail.db)).toMatchObject([{ amount: 50 }, { amount: 200 }])
})

test('I15 a payment that got its money back and then a ticket is not paid once more in refund mode', async () => {
  const { blockNumber } = await settledLeftover()
  await trail.refold({
    from: Number(blockNumber),
    change: (payment) => ({ ...payment, units: unitsOf(300) }),
  })
  expect(await trail.prepare('leftover')).toBe('NOTHING_TO_REFUND')
  expect(await listUnallocated(trail.db)).toMatchObject([{ amount: 200 }])
  await trail.enterRefundMode()
  await trail.prepare('event')
  expect((await trail.offer()).map(({ units }) => units)).toEqual([unitsOf(100)])
})

test('a refund whose payment is gone lowers older debts and no later one', async () => {
  await trail.pay(alice, 120)
  const { blockNumber } = await trail.pay(bob, 1)
  const lost = await trail.pay(alice, 200)
  await trail.prepare('leftover')
  trail.byHand(alice, 50)
  await trail.mine()
  await trail.refold({
    from: Number(blockNumber) + 1,
    change: (payment) => (payment === lost ? undefined : payment),
  })
  expect(await listUnallocated(trail.db)).toEqual([])
  await trail.pay(alice, 90)
  await trail.prepare('leftover')
  const sent = await trail.offer()
  await trail.mine()
  expect(sent.map(({ to, units }) => [to, units])).toEqual([
    [alice, unitsOf(70)],
    [bob, unitsOf(1)],
  ])
  expect((await trail.offer()).map(({ units }) => units)).toEqual([unitsOf(90)])
})

test('a transfer sent before the payment is no refund of it', async () => {
  trail.byHand(alice, 200)
  await trail.mine()
  await trail.pay(alice, 200)
  await trail.prepare('leftover')
  expect(await rows()).toEqual([[200, 'planned', 200]])
  expect((await trail.offer()).map(({ units }) => units)).toEqual([unitsOf(200)])
})

test('a surplus lowers no later payment, in the same row neither', async () => {
  await trail.pay(alice, 300)
  await trail.enterRefundMode()
  await trail.prepare('event')
  trail.byHand(alice, 800)
  await trail.mine()
  expect(await rows()).toEqual([[300, 'planned', 0]])
  await trail.pay(alice, 400)
  await trail.prepare('event')
  expect(await rows()).toEqual([[700, 'planned', 400]])
  expect((await trail.offer()).map(({ units }) => units)).toEqual([unitsOf(400)])
})

test('the desk hands out the amounts that it shows, also where one transfer counts for several rows', async () => {
  for (const cents of [50, 70]) {
    await trail.pay(alice, cents)
    await trail.prepare('leftover')
  }
  trail.byHand(alice, 75)
  await trail.mine()
  const shown = totalsOf((await trail.rows()).map(({ toSend }) => toSend)).totalAmount
  expect(shown).toBe(45)
  for (let round = 0; round < 3; round++) {
    await trail.offer()
    await trail.mine()
  }
  expect(trail.paidTo(alice)).toBe(unitsOf(120))
  expect((await trail.db.select().from(refundRows)).map(({ state }) => state)).toEqual(['settled', 'settled'])
})

const readdress = async (recipient: Address) => {
  const [row] = await trail.db.select().from(refundRows)
  const wish = { rowId: (row as { id: number }).id, recipient, signature: '0x' as const, waitMs: 60_000 }
  const id = await askReaddress(trail.db, wish)
  expect(await trail.db.transaction((tx) => answerReaddress(tx, id, 'contract'))).toBe(true)
}

test('what was sent to a former address of a row stays paid when the row moves again', async () => {
  const [first, second] = [`0x${'c1'.repeat(20)}`, `0x${'c2'.repeat(20)}`] as const
  await trail.pay(alice, 250)
  await trail.prepare('leftover')
  await readdress(first)
  trail.byHand(first, 100)
  await trail.mine()
  await readdress(second)
  expect(await rows()).toEqual([[250, 'planned', 150]])
  expect((await trail.offer()).map(({ to, units }) => [to, units])).toEqual([[second, unitsOf(150)]])
})

/** A deep reorg: all from block 3 on is gone, and the payment stands in another block of a shorter chain. */
async function moveTo(block: number) {
  const { blockNumber, blockHash, blockTime } = paid(trail.event, { block, cents: 1 })
  await trail.takeBack(3)
  trail.height = block
  await trail.foldAnew({ from: 3, change: (payment) => ({ ...payment, blockNumber, blockHash, blockTime }) })
}

test.each([
  ['', async () => {}],
  [', also when the next one puts it behind', () => moveTo(12)],
])(
  'a refund sent after the block to which a deep reorg had moved its payment settles it%s',
  async (_, then) => {
    trail.height = 9
    await trail.pay(alice, 200)
    await trail.prepare('leftover')
    await moveTo(3)
    trail.byHand(alice, 200)
    await trail.mine()
    await then()
    await trail.prepare('leftover')
    expect(await rows()).toEqual([[200, 'settled', 0]])
    expect(await trail.offer()).toEqual([])
  },
)

test('the next event opens only once a list that is read again stands, and who was missed on it is paid back', async () => {
  const { blockNumber } = await trail.pay(alice, 300)
  await trail.enterRefundMode()
  expect(await trail.prepare('event')).toBe('done')
  const from = Number(blockNumber)
  await trail.takeBack(from)
  const next = () => updateEvent(trail.db, { drawDate: inFuture(3_600) }, rules)
  await expect(next()).rejects.toMatchObject({ code: 'EVENT_LOCKED' })
  trail.payments.push(paid(trail.event, { block: from, cents: 600, payer: bob }))
  await trail.foldAnew({ from })
  expect(await trail.prepare('event')).toBe('done')
  expect(await next()).toMatchObject({ archived: 1 })
  expect((await trail.offer()).map(({ to }) => to).sort()).toEqual([alice, bob].sort())
})
