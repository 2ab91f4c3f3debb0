import { expect, test } from 'vitest'
import { unitsOf } from '../../core/money.ts'
import { unpaidTokenPrizes } from '../../db/prize/shown.ts'
import { markTransfer } from '../../db/refund/facts.ts'
import { events } from '../../db/schema/index.ts'
import { openDrawWorld } from '../../e2e/lab/draw-story.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { withOtherPast } from '../../e2e/lab/other-past.ts'
import { prizesOf } from '../../e2e/lab/prize-story.ts'
import { transferData } from '../../e2e/lab/usdt.ts'
import { operatorAccount } from '../../infra/local/chain.ts'

const world = forEachTest(() => openDrawWorld())
const day = 86_400

/** Two winners and a reserve, drawn. */
async function drawnTwo(change: Partial<typeof events.$inferInsert> = {}) {
  const story = prizesOf(world)
  await withOtherPast(world.db, (tx) => tx.update(events).set({ winners: 2, ...change }))
  await world.drawn()
  await story.settle()
  const rows = await story.rows()
  const [first, second] = rows.map(({ holder }) => story.accountOf(holder?.walletAddress as never))
  const end = story.secondOf(new Date(rows[0]?.steps[0]?.at as string)) + 30 * day
  return { ...story, first: first as number, second: second as number, end }
}

test('a turn is over with the first final block at its end, and the next reserve has as long from there', async () => {
  const story = await drawnTwo()
  const unclaimed = ['winner 1, unclaimed', 'winner 2, unclaimed']
  expect(await story.told()).toEqual(unclaimed)
  await world.mineAt(story.end - 5)
  await world.mine(2)
  await story.settle()
  expect(await story.told()).toEqual(unclaimed)
  await story.reach(story.end)
  expect(await story.told()).toEqual(['reserve 1, unclaimed, turn', 'nobody, unclaimed'])
  const [taken, free] = await story.rows()
  expect(story.secondOf(new Date(taken?.claimBy as string))).toBe(story.end + 30 * day)
  expect(free?.claimBy).toBeNull()
  await story.reach(story.end + 30 * day)
  expect(await story.told()).toEqual(['nobody, unclaimed, turn', 'nobody, unclaimed'])
})

test('with the site away an anchor in the last second of a turn claims by its block time; later, or of a stranger, it claims nothing', async () => {
  const story = await drawnTwo()
  await story.claimOnChain(9, story.end - 20)
  const hash = await story.claimOnChain(story.first, story.end - 1)
  await story.claimOnChain(story.second, story.end)
  // Nobody reads the chain before the turn is long over.
  await story.reach(story.end + day)
  expect(await story.told()).toEqual(['winner 1, claimed, claimed', 'reserve 1, unclaimed, turn'])
  expect((await story.rows())[0]?.steps[1]).toMatchObject({
    ...{ step: 'claimed', transactionHash: hash },
    at: new Date((world.start + story.end - 1) * 1000).toISOString(),
  })
})

test('no turn ends before what the register heard was read up to its end', async () => {
  const story = await drawnTwo()
  await story.claimOnChain(story.first, story.end - 1)
  await world.mineAt(story.end + day)
  await world.mine(3)
  await world.scan()
  expect(await story.told()).toEqual(['winner 1, unclaimed', 'winner 2, unclaimed'])
  await story.settle()
  expect((await story.told())[0]).toBe('winner 1, claimed, claimed')
})

test('a prize in USDT is sent once transfers that were marked for it reach its amount, and is owed until then', async () => {
  const units = unitsOf(50_00)
  const story = await drawnTwo({ prizes: [{ kind: 'token', units: `${units}` }] })
  const [prize] = await story.rows()
  const winner = prize?.holder?.walletAddress.toLowerCase() as `0x${string}`
  expect(await story.told()).toEqual(['winner 1, due', 'winner 2, unclaimed'])
  const pay = async (cents: number) => {
    const transactionHash = await world.send(0, transferData(winner, unitsOf(cents)))
    await story.settle()
    const transfer = { transactionHash, wallet: operatorAccount.toLowerCase() as never, recipient: winner }
    const mark = { markedAs: 'prize' as const, eventNumber: 1, place: 1 }
    await world.db.transaction((tx) => markTransfer(tx, { ...transfer, ...mark }))
    return transactionHash
  }
  await pay(20_00)
  expect([(await story.told())[0], await unpaidTokenPrizes(world.db)]).toEqual([
    'winner 1, due',
    unitsOf(30_00),
  ])
  const last = await pay(30_00)
  expect(await unpaidTokenPrizes(world.db)).toBe(0n)
  expect((await story.rows())[0]).toMatchObject({
    ...{ state: 'sent', unpaid: 0n },
    steps: [{}, { step: 'sent', transactionHash: last }],
  })
  // It never lapses.
  await story.reach(story.end + day)
  expect((await story.told())[0]).toBe('winner 1, sent, sent')
})
