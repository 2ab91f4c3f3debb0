import { beforeEach, expect, test } from 'vitest'
import { RaffleError } from '../../core/errors.ts'
import { dueDraws } from '../../db/draw/facts.ts'
import { loadProof } from '../../db/draw/proof.ts'
import { draws, endings, events } from '../../db/schema/index.ts'
import { drawAt, openDrawWorld, saleEndAt } from '../../e2e/lab/draw-story.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { withOtherPast } from '../../e2e/lab/other-past.ts'
import type { Chain } from '../chain/index.ts'
import type { Deps } from '../deps.ts'

const world = forEachTest(openDrawWorld)
const other = `0x${'ab'.repeat(32)}` as const
let commitment: `0x${string}`
beforeEach(async () => {
  await world.sell()
  await world.endSale()
  commitment = await world.commitment()
})

/** An administrator starts the draws of this event. */
const byHand = () => withOtherPast(world.db, (tx) => tx.update(events).set({ autoDraw: false }))
/** Endpoints that tell everything but anchors. */
const mute = (): Chain => ({
  ...world.deps.chain,
  anchors: () => Promise.reject(new RaffleError('RPC_UNAVAILABLE', 'no endpoint')),
})
const drawn = () => world.db.select().from(draws)
const refunded = async () => (await world.db.select().from(endings)).map(({ reason }) => reason)
async function proven() {
  await world.db.update(events).set({ redrawnAt: new Date(Date.now() - 20_000) })
  return (await loadProof(world.db, 1))?.anchor ?? null
}

/** The anchors from here on to the draw date are passed over, a minute after it. */
async function passOver(change: Partial<Deps> = {}) {
  for (const second of [-5, -4, -2, -1, 0, 61]) await world.mineAt(drawAt + second)
  await world.mine(3)
  await world.scan({ chain: mute(), ...change })
  expect(await world.event()).toMatchObject({ anchorsUnreadFrom: expect.any(BigInt) })
}

/** Another list is on record as anchored, as before a list was made anew; what was anchored later is not. */
async function unread(later?: typeof commitment): Promise<string | undefined> {
  await world.sendAnchor(other, { at: saleEndAt + 20 })
  await world.mine(3)
  await world.scan()
  const hash = later && (await world.sendAnchor(later, { at: drawAt - 10 }))
  await passOver()
  return hash
}

test('a list is neither drawn from nor refunded while another one is on record and blocks behind it are untold', async () => {
  await unread(commitment)
  await expect(world.draw({ chain: mute() })).rejects.toMatchObject({ code: 'RPC_UNAVAILABLE' })
  expect([await drawn(), await refunded()]).toEqual([[], []])
  // The sweeper comes again, also where an administrator starts the draw.
  expect(await dueDraws(world.db)).toEqual([1])
  await byHand()
  expect(await dueDraws(world.db)).toEqual([1])
})

test('endpoints that tell the anchors again let it be drawn from, and the proof names its anchor', async () => {
  const hash = await unread(commitment)
  await expect(world.draw({ chain: mute() })).rejects.toMatchObject({ code: 'RPC_UNAVAILABLE' })
  await world.draw()
  expect(await drawn()).toHaveLength(1)
  expect(await proven()).toMatchObject({ transactionHash: hash })
  expect((await world.event()).anchorsUnreadFrom).toBe(null)
})

test('endpoints that tell that nobody anchored it let it be refunded, whoever starts draws', async () => {
  await byHand()
  await unread()
  await world.draw()
  expect([await drawn(), await refunded()]).toEqual([[], ['ledger']])
})

test('anchors that stay untold end with the deadline, in refunds', async () => {
  await unread(commitment)
  await world.mineAt(drawAt + 7 * 86_400)
  await world.mine(3)
  await world.scan({ chain: mute() })
  await world.draw({ chain: mute() })
  expect([await drawn(), await refunded()]).toEqual([[], ['overdue']])
})
