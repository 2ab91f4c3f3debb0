import { beforeEach, expect, test } from 'vitest'
import { RaffleError } from '../../core/errors.ts'
import { dueAnchors, foreignAnchors, listAnchors } from '../../db/draw/anchors.ts'
import { loadProof } from '../../db/draw/proof.ts'
import { addWorkerRequest, getAnswer } from '../../db/draw/worker-requests.ts'
import { listChanges } from '../../db/event/changes.ts'
import { getScanCursor } from '../../db/event/scan-cursor.ts'
import { takeBack } from '../../db/payment/refold.ts'
import { events } from '../../db/schema/index.ts'
import { drawAt, openDrawWorld, saleEndAt } from '../../e2e/lab/draw-story.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { withOtherPast } from '../../e2e/lab/other-past.ts'
import { fromNow } from '../../e2e/lab/test-time.ts'
import type { Chain } from '../chain/index.ts'
import { anchor } from './anchor.ts'

const world = forEachTest(openDrawWorld)
const other = `0x${'ab'.repeat(32)}` as const
let commitment: `0x${string}`
beforeEach(async () => {
  await world.sell()
  // Account 7 holds the anchor key.
  await world.db.update(events).set({ anchorWallet: world.accounts[7]?.toLowerCase() as `0x${string}` })
  await world.endSale()
  commitment = await world.commitment()
})

const stored = () => listAnchors(world.db, 1)
const hashes = async () => (await stored()).map(({ transactionHash }) => transactionHash)
const look = () => anchor(world.deps, { eventNumber: 1 })
/** The anchor in the proof of the drawn event. */
async function proven() {
  await world.db.update(events).set({ redrawnAt: fromNow(-20) })
  return (await loadProof(world.db, 1))?.anchor ?? null
}

/** Names a transaction as the administrator does; returns the answer that the call would get now. */
async function name(transactionHash: `0x${string}`) {
  const request = { kind: 'anchor' as const, eventNumber: 1, transactionHash, waitMs: 60_000 }
  const id = await addWorkerRequest(world.db, request)
  await world.scan()
  await look()
  return getAnswer(world.db, id)
}

test('the scan finds an anchor, with block and time, and it is published once', async () => {
  const hash = await world.sendAnchor(commitment, { at: saleEndAt + 20 })
  await world.mine(3)
  await world.scan()
  await look()
  expect(await stored()).toMatchObject([
    {
      ...{ eventNumber: 1, transactionHash: hash, commitment, wallet: world.accounts[0]?.toLowerCase() },
      blockTime: new Date((world.start + saleEndAt + 20) * 1000),
    },
  ])
  expect((await listChanges(world.db)).filter(({ field }) => field === 'anchor')).toMatchObject([
    { to: hash },
  ])
})

test('every anchor from the sale end to the draw date is kept, of the two wallets alone', async () => {
  const end = await world.sendAnchor(other, { at: saleEndAt + 10 })
  const byKey = await world.sendAnchor(commitment, { from: 7, at: saleEndAt + 20 })
  await world.sendAnchor(commitment, { from: 1, at: saleEndAt + 21 })
  await world.sendAnchor(commitment, { at: saleEndAt + 22, eventNumber: 2 })
  const last = await world.sendAnchor(commitment, { at: drawAt - 6 })
  await world.reachDraw()
  await world.sendAnchor(commitment, { at: drawAt + 20 })
  await world.mine(3)
  await world.scan()
  expect(await hashes()).toEqual([end, byKey, last])
})

test('a draw has every anchor up to D, as it waits for the scan; a proof never changes', async () => {
  const hash = await world.sendAnchor(commitment, { at: drawAt - 10 })
  for (const second of [-5, -4, -2, -1, 0]) await world.mineAt(drawAt + second)
  await world.mine(3)
  await expect(world.draw()).rejects.toMatchObject({ code: 'NOT_FINAL' })
  await world.scan()
  await world.draw()
  expect(await proven()).toMatchObject({
    transactionHash: hash,
    timestamp: world.start + drawAt - 10,
  })
  await world.scan()
  expect(await hashes()).toEqual([hash])
})

test('the proof names the last anchor that counts and carries the commitment: of the operator if it anchored', async () => {
  await world.sendAnchor(commitment, { from: 7, at: saleEndAt + 20 })
  const first = await world.sendAnchor(commitment, { at: saleEndAt + 21 })
  const last = await world.sendAnchor(commitment, { at: saleEndAt + 22 })
  await world.sendAnchor(other, { at: saleEndAt + 23 })
  await world.sendAnchor(commitment, { from: 7, at: saleEndAt + 24 })
  await world.reachDraw()
  await world.draw()
  expect(await hashes()).toHaveLength(5)
  expect(await proven()).toMatchObject({ transactionHash: last })
  expect(first).not.toBe(last)
})

test('without an anchor of the operator those of the anchor wallet count; other commitments prove nothing', async () => {
  const byKey = await world.sendAnchor(commitment, { from: 7, at: saleEndAt + 20 })
  await world.sendAnchor(other, { from: 7, at: saleEndAt + 21 })
  await world.reachDraw()
  await world.draw()
  expect(await proven()).toMatchObject({ transactionHash: byKey })
  expect(await foreignAnchors(world.db, await world.event())).toMatchObject([{ commitment: other }])
})

test('a transaction that is named stays open until it is final; an unknown one until no caller waits', async () => {
  const hash = await world.sendAnchor(commitment, { at: saleEndAt + 20 })
  expect(await name(hash)).toBeUndefined()
  expect(await name(`0x${'cd'.repeat(32)}`)).toBeUndefined()
  expect(await dueAnchors(world.db)).toEqual([1])
  await world.mine(2)
  expect(await name(hash)).toEqual({ code: null, message: null })
  expect(await name(hash)).toEqual({ code: null, message: null })
  expect(await stored()).toHaveLength(1)
})

test('a transaction of somebody else, with another commitment, outside the window or of another kind is refused', async () => {
  const wrong = [
    await world.sendAnchor(commitment, { from: 1, at: saleEndAt + 20 }),
    await world.sendAnchor(other, { at: saleEndAt + 21 }),
    await world.sendAnchor(commitment, { at: saleEndAt + 22, eventNumber: 2 }),
    await world.pay(2, 3_00, saleEndAt + 23),
    await world.pay(2, 3_00, saleEndAt + 24),
  ]
  await world.mine(3)
  for (const hash of wrong) expect(await name(hash)).toMatchObject({ code: 'INVALID_VALUE' })
  const late = await world.sendAnchor(commitment, { at: drawAt })
  await world.mine(3)
  expect(await name(late)).toMatchObject({ code: 'INVALID_VALUE' })
})

test('a stranger who anchors without end makes no work: nothing is recorded, and one query stays empty', async () => {
  for (let second = 10; second < 20; second++)
    await world.sendAnchor(other, { from: 4, at: saleEndAt + second })
  await world.mine(3)
  await world.scan()
  expect(await stored()).toEqual([])
})

test('endpoints that tell payments but no anchors hold up the draw by a minute at most, and raise an alarm', async () => {
  await world.sendAnchor(commitment, { at: drawAt - 10 })
  for (const second of [-5, -4, -2, -1, 0]) await world.mineAt(drawAt + second)
  await world.mine(3)
  const anchors: Chain['anchors'] = () => Promise.reject(new RaffleError('RPC_UNAVAILABLE', 'no endpoint'))
  const chain = { ...world.deps.chain, anchors }
  await expect(world.scan({ chain })).rejects.toMatchObject({ code: 'RPC_UNAVAILABLE' })
  await expect(world.draw({ chain })).rejects.toMatchObject({ code: 'NOT_FINAL' })
  await world.mineAt(drawAt + 61)
  await world.mine(3)
  const alarms: string[] = []
  const fatal = (_: unknown, text: string) => alarms.push(text)
  await world.scan({ chain, log: Object.assign(Object.create(world.deps.log), { fatal }) })
  expect(alarms).toEqual(['anchors could not be read'])
  await world.draw({ chain })
  expect(await proven()).toBe(null)
})

test('blocks that a reorg replaced are read again, and are unread no more', async () => {
  await world.db.update(events).set({ anchorsUnreadFrom: await world.height() })
  await world.mine(3)
  await world.scan()
  const cursor = await getScanCursor(world.db)
  const above = {
    height: (cursor?.height ?? 0n) - 1n,
    hash: `0x${'00'.repeat(32)}` as const,
    blockTime: fromNow(0),
  }
  if (cursor) await takeBack(world.db, cursor, above, { text: 'a reorg', isHole: false })
  expect((await world.event()).anchorsUnreadFrom).not.toBe(null)
  const again = await getScanCursor(world.db)
  const below = { ...above, height: 1n }
  if (again) await takeBack(world.db, again, below, { text: 'a reorg', isHole: false })
  expect((await world.event()).anchorsUnreadFrom).toBe(null)
})

test('after a reorg the anchors of the replaced blocks are gone until they are read again', async () => {
  const kept = await world.sendAnchor(commitment, { at: saleEndAt + 20 })
  const height = await world.height()
  await world.sendAnchor(commitment, { at: saleEndAt + 21 })
  await world.mine(3)
  await world.scan()
  expect(await hashes()).toHaveLength(2)
  const cursor = await getScanCursor(world.db)
  const to = { height, hash: `0x${'00'.repeat(32)}` as const, blockTime: fromNow(0) }
  if (cursor) await takeBack(world.db, cursor, to, { text: 'a reorg', isHole: false })
  expect(await hashes()).toEqual([kept])
})

test('I32: no program changes an anchor, and after the draw none is added or taken away', async () => {
  await world.sendAnchor(commitment, { at: saleEndAt + 20 })
  await world.reachDraw()
  const change = world.db.execute(`update anchors set commitment = '${other}'`)
  await expect(change).rejects.toThrow()
  await world.draw()
  const gone = world.db.execute('delete from anchors')
  await expect(gone).rejects.toThrow()
  const [row] = await stored()
  await withOtherPast(world.db, (tx) => tx.execute('delete from anchors'))
  expect(row?.commitment).toBe(commitment)
})
