import { afterEach, beforeEach, expect, test } from 'vitest'
import { dueAnchors } from '../../db/draw/anchors.ts'
import { addWorkerRequest, getAnswer } from '../../db/draw/worker-requests.ts'
import { listChanges } from '../../db/event/changes.ts'
import { anchors, draws } from '../../db/schema/index.ts'
import { type DrawWorld, drawAt, openDrawWorld, saleEndAt } from '../../e2e/lab/draw-story.ts'
import { anchor } from './anchor.ts'

let world: DrawWorld
let sha256: `0x${string}`
beforeEach(async () => {
  world = await openDrawWorld()
  await world.sell()
  sha256 = (await world.endSale()).ledgerSha256 as `0x${string}`
})
afterEach(() => world.close())

const stored = () => world.db.select().from(anchors)
const look = () => anchor(world.deps, { eventNumber: 1 })

/** Names a transaction as the administrator does; returns the answer that the call would get now. */
async function name(transactionHash: `0x${string}`) {
  const id = await addWorkerRequest(world.db, {
    kind: 'anchor',
    eventNumber: 1,
    transactionHash,
    waitMs: 60_000,
  })
  await look()
  return getAnswer(world.db, id)
}

test('the scan finds an anchor, with block and time, and it is published', async () => {
  const hash = await world.sendAnchor(sha256, { at: saleEndAt + 20 })
  await world.mine(3)
  await world.scan()
  expect(await dueAnchors(world.db)).toEqual([1])
  await look()
  await look()
  expect(await stored()).toMatchObject([
    {
      eventNumber: 1,
      transactionHash: hash,
      ledgerSha256: sha256,
      blockTime: new Date((world.start + saleEndAt + 20) * 1000),
    },
  ])
  expect(await dueAnchors(world.db)).toEqual([])
  expect((await listChanges(world.db)).filter(({ field }) => field === 'anchor')).toMatchObject([
    { to: hash },
  ])
})

test('the draw first checks transactions that may be its anchor, so a proof never changes', async () => {
  const hash = await world.sendAnchor(sha256, { at: drawAt - 10 })
  await world.reachDraw()
  await world.draw()
  expect(await stored()).toMatchObject([{ transactionHash: hash }])
  expect(await world.db.select().from(draws)).toHaveLength(1)
})

test('a transaction of another sender, with another fingerprint or after the draw date is no anchor', async () => {
  const wrong = `0x${'ab'.repeat(32)}` as const
  const stranger = await world.sendAnchor(sha256, { from: 1, at: saleEndAt + 20 })
  const other = await world.sendAnchor(wrong, { at: saleEndAt + 21 })
  const late = await world.sendAnchor(sha256, { at: drawAt })
  await world.mine(3)
  await world.scan()
  await look()
  expect(await stored()).toEqual([])
  for (const hash of [stranger, other, late])
    expect(await name(hash)).toMatchObject({ code: 'INVALID_VALUE' })
  expect(await stored()).toEqual([])
})

test('a transaction that is named stays open until it is final; an unknown one until no caller waits', async () => {
  const hash = await world.sendAnchor(sha256, { at: saleEndAt + 20 })
  const id = await addWorkerRequest(world.db, {
    kind: 'anchor',
    eventNumber: 1,
    transactionHash: hash,
    waitMs: 60_000,
  })
  await look()
  expect(await getAnswer(world.db, id)).toBeUndefined()
  expect(await name(`0x${'cd'.repeat(32)}`)).toBeUndefined()
  await world.mine(2)
  await look()
  expect(await getAnswer(world.db, id)).toEqual({ code: null, message: null })
  expect(await stored()).toHaveLength(1)
})

test('the first anchor stays, and after the draw no other is accepted', async () => {
  const first = await world.sendAnchor(sha256, { at: saleEndAt + 20 })
  const second = await world.sendAnchor(sha256, { at: saleEndAt + 21 })
  await world.mine(2)
  expect(await name(first)).toEqual({ code: null, message: null })
  expect(await name(first)).toEqual({ code: null, message: null })
  expect(await name(second)).toMatchObject({ code: 'ALREADY_PROCESSED' })
  expect(await stored()).toMatchObject([{ transactionHash: first }])
})

test('a transfer by another account in the name of the operator is no work for anybody', async () => {
  const data = `0x23b872dd${world.accounts[0]?.slice(2).padStart(64, '0').repeat(2)}${'0'.repeat(64)}${sha256.slice(2)}`
  await world.send(4, data as `0x${string}`)
  await world.mine(3)
  await world.scan()
  expect(await dueAnchors(world.db)).toEqual([])
  expect(await stored()).toEqual([])
})
