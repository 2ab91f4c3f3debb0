import { expect, test } from 'vitest'
import { termsSha256 } from '../../core/event/terms.ts'
import { listAnchors, readAnchorState } from '../../db/draw/anchors.ts'
import { termsOf } from '../../db/event/terms.ts'
import { rewindOutgoing } from '../../db/payment/rewind.ts'
import { getOutgoingCursor } from '../../db/refund/facts.ts'
import { events } from '../../db/schema/index.ts'
import { drawAt, openDrawWorld, saleEndAt } from '../../e2e/lab/draw-story.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { fromNow } from '../../e2e/lab/test-time.ts'
import { watchRefunds } from '../refund/refunds.ts'

const world = forEachTest(openDrawWorld)
const other = `0x${'ab'.repeat(32)}` as const

const stored = () => listAnchors(world.db, 1)
async function read(): Promise<void> {
  await world.mine(3)
  await world.scan()
  await watchRefunds({ ...world.deps, refundMinUnits: 1n })
}

test('every anchor of the book is on record, whoever sent it and whenever, also of an event that is not', async () => {
  const stranger = await world.sendAnchor(other, { from: 4, at: 5 })
  await world.sell()
  const during = await world.sendAnchor(other, { at: 40 })
  await world.sendAnchor(other, { at: 41, eventNumber: 2 })
  await world.endSale()
  await world.reachDraw()
  await world.draw()
  const after = await world.sendAnchor(other, { from: 4, at: drawAt + 20 })
  await read()
  const wallet = (account: number) => world.accounts[account]?.toLowerCase()
  expect(await stored()).toMatchObject([
    { transactionHash: stranger, wallet: wallet(4) },
    {
      ...{ eventNumber: 1, transactionHash: during, wallet: wallet(0), commitment: other },
      blockTime: new Date((world.start + 40) * 1000),
    },
    { transactionHash: after },
  ])
  expect(await listAnchors(world.db, 2)).toMatchObject([{ eventNumber: 2, commitment: other }])
  await expect(world.db.execute(`update anchors set commitment = '${other}'`)).rejects.toThrow()
})

test('T counts before the sale end, C from then to the draw date, by the event’s wallets; anything else of theirs is told', async () => {
  await world.sell()
  await world.mine(3)
  await world.scan()
  const t = termsSha256(await termsOf(world.db, await world.event()))
  await world.sendAnchor(t, { from: 4, at: 50 })
  const terms = await world.sendAnchor(t, { at: 51 })
  await world.sendAnchor(t, { at: 52 })
  const wrong = await world.sendAnchor(other, { at: 53 })
  await world.endSale()
  const c = await world.commitment()
  await world.sendAnchor(c, { from: 4, at: saleEndAt + 20 })
  const list = await world.sendAnchor(c, { at: saleEndAt + 21 })
  await read()
  expect(await readAnchorState(world.db, await world.event())).toMatchObject({
    terms: { commitment: t, transactionHash: terms },
    list: { commitment: c, transactionHash: list },
    others: [{ transactionHash: wrong }],
  })
})

test('an anchor after the sale end is none of the terms, one after the draw date none of the list', async () => {
  await world.sell()
  await world.endSale()
  await world.sendAnchor(termsSha256(await termsOf(world.db, await world.event())), { at: saleEndAt + 20 })
  await world.reachDraw()
  await world.sendAnchor(await world.commitment(), { at: drawAt + 20 })
  await read()
  const { terms, list } = await readAnchorState(world.db, await world.event())
  expect([terms, list]).toMatchObject([{ transactionHash: null }, { transactionHash: null }])
})

test('a rewind takes back what lies above it, and it is read again', async () => {
  const first = await world.sendAnchor(other, { at: 10 })
  const height = await world.height()
  const second = await world.sendAnchor(other, { at: 11 })
  await read()
  expect(await getOutgoingCursor(world.db)).toBeDefined()
  const { hash = expect.fail('no block') } = (await world.deps.chain.header(height)) ?? {}
  await rewindOutgoing(world.db, { height, hash, blockTime: fromNow(0) })
  expect((await stored()).map(({ transactionHash }) => transactionHash)).toEqual([first])
  await read()
  expect((await stored()).map(({ transactionHash }) => transactionHash)).toEqual([first, second])
})

test('T on the chain locks the terms that were in force at its block, for good', async () => {
  const event = await world.event()
  const terms = termsSha256(await termsOf(world.db, event))
  await world.sendAnchor(other, { at: 5 })
  await world.sendAnchor(terms, { from: 4, at: 6 })
  await read()
  expect((await world.event()).lockedAt).toBeNull()
  await world.sendAnchor(terms, { at: 20 })
  await read()
  expect((await world.event()).lockedAt).toEqual(new Date((world.start + 20) * 1000))
  await expect(world.db.update(events).set({ minTickets: 1 })).rejects.toThrow()
  await rewindOutgoing(world.db, undefined)
  expect([await stored(), (await world.event()).lockedAt]).toEqual([[], expect.any(Date)])
})
