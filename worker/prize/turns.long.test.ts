import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { sweepPrizes } from '../../db/prize/turns.ts'
import { events, owedPayments, payments } from '../../db/schema/index.ts'
import { openDrawWorld } from '../../e2e/lab/draw-story.ts'
import { Killed, killedAt } from '../../e2e/lab/killed.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { prizesOf } from '../../e2e/lab/prize-story.ts'
import { transferData } from '../../e2e/lab/usdt.ts'
import { operatorAccount } from '../../infra/local/chain.ts'

const world = forEachTest(() => openDrawWorld())
const day = 86_400

/** Two winners and a reserve, drawn. */
async function drawnTwo() {
  const story = prizesOf(world)
  await world.db.update(events).set({ winners: 2 })
  await world.drawn()
  const rows = await story.rows()
  const [first, second] = rows.map(({ holderWallet }) => story.accountOf(holderWallet as never))
  const end = story.secondOf(rows[0]?.claimBy as Date)
  return { ...story, first: first as number, second: second as number, end }
}

test('a turn is over with the first final block at its end, and the next reserve has as long from there', async () => {
  const story = await drawnTwo()
  expect(await story.told()).toEqual(['winner 1, unclaimed', 'winner 2, unclaimed'])
  await world.mineAt(story.end - 5)
  await world.mine(2)
  await story.settle()
  expect(await story.told()).toEqual(['winner 1, unclaimed', 'winner 2, unclaimed'])
  // Not final yet: nobody has lost anything.
  await world.mineAt(story.end)
  await world.scan()
  await story.sweep()
  expect(await story.told()).toEqual(['winner 1, unclaimed', 'winner 2, unclaimed'])
  await story.settle()
  await story.sweep()
  expect(await story.told()).toEqual(['reserve 1, unclaimed, turn', 'nobody, unclaimed'])
  const [taken, free] = await story.rows()
  expect(story.secondOf(taken?.claimBy as Date)).toBe(story.end + 30 * day)
  expect(free?.claimBy).toBeNull()
  await story.reach(story.end + 30 * day)
  expect(await story.told()).toEqual(['nobody, unclaimed, turn', 'nobody, unclaimed'])
})

test('with the site away one unit in the last second of a turn claims by its block time, and is owed to nobody', async () => {
  const story = await drawnTwo()
  const hash = await story.claimOnChain(story.first, story.end - 1)
  // Nobody reads the chain before the turn is long over.
  await story.reach(story.end + day)
  expect(await story.told()).toEqual(['winner 1, claimed, claimed', 'reserve 1, unclaimed, turn'])
  expect((await story.shown())[0]?.steps[1]).toMatchObject({
    ...{ step: 'claimed', transactionHash: hash },
    at: new Date((world.start + story.end - 1) * 1000).toISOString(),
  })
  const paid = await world.db.select().from(payments).where(sql`transaction_hash = ${hash}`)
  expect(paid).toMatchObject([{ status: 'rejected', reason: 'claim', units: 1n, eventNumber: 1 }])
  const owed = await world.db.select({ hash: owedPayments.transactionHash }).from(owedPayments)
  expect(owed.map(({ hash }) => hash)).not.toContain(hash)
})

test('a claim on chain at the end of a turn is late, and another amount or wallet claims nothing', async () => {
  const story = await drawnTwo()
  await world.sendAt(story.end - 30, story.first, transferData(operatorAccount, 2n))
  await world.sendAt(story.end - 20, 9, transferData(operatorAccount, 1n))
  await story.claimOnChain(story.first, story.end)
  await story.settle()
  expect(await story.told()).toEqual(['reserve 1, unclaimed, turn', 'nobody, unclaimed'])
  const reasons = await world.db.select().from(payments).where(sql`units < 3`).orderBy(payments.id)
  expect(reasons.map(({ reason, units }) => [reason, units])).toEqual([
    ['late', 2n],
    ['late', 1n],
    ['claim', 1n],
  ])
})

test('a worker that dies at any await of a turn change leaves all of it or nothing, and two sweeps make one', async () => {
  const story = await drawnTwo()
  await world.mineAt(story.end)
  await world.mine(3)
  await world.scan()
  let kills = 0
  for (let step = 0; ; step++) {
    const isKilled = await sweepPrizes(killedAt(world.deps, step).db).then(
      () => false,
      (error) => error instanceof Killed || Promise.reject(error),
    )
    const told = await story.told()
    if (!isKilled) break
    kills += 1
    expect([
      ['winner 1, unclaimed', 'winner 2, unclaimed'],
      ['reserve 1, unclaimed, turn', 'nobody, unclaimed'],
    ]).toContainEqual(told)
  }
  expect(kills).toBeGreaterThan(2)
  await Promise.all([story.sweep(), story.sweep(), story.sweep()])
  expect(await story.told()).toEqual(['reserve 1, unclaimed, turn', 'nobody, unclaimed'])
})
