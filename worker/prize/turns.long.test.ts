import { asc, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import { expect, test } from 'vitest'
import { parseEnv } from '../../core/server/env.ts'
import { updateEvent } from '../../db/event/update.ts'
import { bumpVersion } from '../../db/event/version.ts'
import { shipPrize } from '../../db/prize/claims.ts'
import { lockPrizes, sweepPrizes, turnUnsettled } from '../../db/prize/turns.ts'
import { debtsOf } from '../../db/refund/debts.ts'
import { events, payments, prizeSteps, prizes } from '../../db/schema/index.ts'
import { revertTo } from '../../e2e/lab/chain-verbs.ts'
import { openDrawWorld } from '../../e2e/lab/draw-story.ts'
import { Killed, killedAt } from '../../e2e/lab/killed.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { withOtherPast } from '../../e2e/lab/other-past.ts'
import { prizesOf } from '../../e2e/lab/prize-story.ts'
import { until } from '../../e2e/lab/until.ts'
import { transferData } from '../../e2e/lab/usdt.ts'
import { operatorAccount } from '../../infra/local/chain.ts'
import { rpc } from '../../infra/local/rpc.ts'

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
  expect(
    await world.db.execute(sql`select * from ${debtsOf('leftover')} p where p.reason = 'claim'`),
  ).toEqual([])
})

/** The next event opens at the database's time; its payments go to another wallet. Seconds of the story since then are returned. */
async function openNext(wallet: Address): Promise<number> {
  await withOtherPast(world.db, (tx) =>
    tx.execute(sql`update draws set drawn_at = drawn_at - interval '1 minute'`),
  )
  const rules = { terms: { ...parseEnv({}), operatorWallet: undefined }, pinnedWallet: undefined }
  await updateEvent(
    world.db,
    { drawDate: new Date(Date.now() + 70 * day * 1000), operatorWallet: wallet },
    rules,
  )
  const { number, saleStart } = await world.event()
  expect(number).toBe(2)
  return saleStart.getTime() / 1000 - world.start
}

test('who sees only the next event’s wallet claims there; what goes to it before its sale, or in a turn that is over, does not', async () => {
  const story = await drawnTwo()
  const next = (world.accounts[7] as Address).toLowerCase() as Address
  const start = await openNext(next)
  const unit = (second: number, account: number) => world.sendAt(second, account, transferData(next, 1n))
  await unit(start - 5, story.first)
  const hash = await unit(start + 60, story.second)
  await story.settle()
  // A sweep with nothing to do finds nothing to do.
  const told = ['winner 1, unclaimed', 'winner 2, claimed, claimed']
  expect(await story.told()).toEqual(told)
  expect((await story.shown())[1]?.steps.at(-1)).toMatchObject({ step: 'claimed', transactionHash: hash })
  await unit(story.end, story.first)
  await story.settle()
  expect(await story.told()).toEqual(['reserve 1, unclaimed, turn', told[1]])
  expect(
    await world.db.execute(sql`select * from ${debtsOf('leftover')} p where p.reason = 'claim'`),
  ).toEqual([])
})

test('what was claimed at the next event’s wallet stays claimed when that event gets another wallet, or begins anew', async () => {
  const story = await drawnTwo()
  const next = (world.accounts[7] as Address).toLowerCase() as Address
  const start = await openNext(next)
  const hash = await world.sendAt(start + 60, story.second, transferData(next, 1n))
  await story.settle()
  const told = ['winner 1, unclaimed', 'winner 2, claimed, claimed']
  expect(await story.told()).toEqual(told)
  const rules = { terms: { ...parseEnv({}), operatorWallet: undefined }, pinnedWallet: undefined }
  await updateEvent(world.db, { operatorWallet: world.accounts[8] as Address }, rules)
  await world.db.execute(
    sql`update events set sale_start = sale_start + interval '2 minutes' where number = 2`,
  )
  await sweepPrizes(world.db)
  await world.db.transaction((tx) => turnUnsettled(tx))
  expect(await story.told()).toEqual(told)
  expect((await story.shown())[1]?.steps.at(-1)).toMatchObject({ step: 'claimed', transactionHash: hash })
  await story.settle()
  expect(await story.told()).toEqual(told)
})

test('one unit to the next event’s wallet speaks for each event whose prize is its sender’s', async () => {
  const story = await drawnTwo()
  const next = (world.accounts[7] as Address).toLowerCase() as Address
  const start = await openNext(next)
  // Drawn a second time: the same wallet, in an event of the same wallet as the first.
  await withOtherPast(world.db, async (tx) => {
    await tx.execute(sql`update events set number = 3 where number = 2`)
    await tx.execute(
      sql`insert into events select (json_populate_record(e, '{"number": 2}')).* from events e where number = 1`,
    )
    await tx.execute(
      sql`insert into draws select (json_populate_record(d, '{"event_number": 2}')).* from draws d`,
    )
    await tx.execute(
      sql`insert into prizes select (json_populate_record(p, '{"event_number": 2}')).* from prizes p`,
    )
  })
  await world.sendAt(start + 60, story.first, transferData(next, 1n))
  await story.settle()
  const states = await world.db.select().from(prizes).orderBy(asc(prizes.eventNumber), asc(prizes.place))
  expect(states.map(({ eventNumber, state }) => `${eventNumber} ${state}`)).toEqual([
    ...['1 claimed', '1 unclaimed', '2 claimed', '2 unclaimed'],
  ])
})

test('nobody of ours is there for the whole turn of a reserve: his unit in time claims, and the next turn never was', async () => {
  const story = await drawnTwo()
  const reserve = [1, 2, 3].find((one) => one !== story.first && one !== story.second) as number
  await story.claimOnChain(reserve, story.end + 29 * day)
  await story.reach(story.end + 100 * day)
  expect(await story.told()).toEqual(['reserve 1, claimed, turn, claimed', 'nobody, unclaimed'])
  expect((await story.rows())[0]).toMatchObject({ state: 'claimed', claimBy: null })
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

test('what another reserve has claimed stays his when the first prize is sent, and his is sent too', async () => {
  await world.pay(4, 3_00, 3)
  await world.pay(5, 3_00, 6)
  const story = await drawnTwo()
  await story.reach(story.end)
  const [, second] = await story.rows()
  await story.claimOnChain(story.accountOf(second?.holderWallet as Address), story.end + 60)
  await story.reach(story.end + 30 * day)
  const [first] = await story.rows()
  await story.claimOnChain(story.accountOf(first?.holderWallet as Address), story.end + 30 * day + 60)
  await story.settle()
  expect(await story.told()).toEqual([
    'reserve 3, claimed, turn, turn, claimed',
    'reserve 2, claimed, turn, claimed',
  ])
  for (const place of [1, 2])
    await world.db.transaction((tx) => shipPrize(tx, { eventNumber: 1, place, tracking: null }))
  expect(await story.told()).toEqual([
    'reserve 3, shipped, turn, turn, claimed, shipped',
    'reserve 2, shipped, turn, claimed, shipped',
  ])
})

test('a claim on chain that a reorg took is taken back; mined again in time it counts', async () => {
  const story = await drawnTwo()
  await world.mineAt(story.end - 40)
  await story.settle()
  const snapshot = await rpc<string>(world.url, 'evm_snapshot')
  await story.claimOnChain(story.first, story.end - 20)
  await story.settle()
  expect((await story.told())[0]).toBe('winner 1, claimed, claimed')
  await revertTo(world.url, snapshot)
  await world.mineAt(story.end - 19)
  await world.mine(8)
  await story.settle()
  expect((await story.told())[0]).toBe('winner 1, unclaimed')
  await story.claimOnChain(story.first, story.end - 1)
  await story.settle()
  expect((await story.told())[0]).toBe('winner 1, claimed, claimed')
  const kinds = await world.db.select().from(prizeSteps).where(sql`place = 1`).orderBy(prizeSteps.id)
  expect(kinds.map(({ step, round }) => `${step} ${round}`)).toEqual([
    ...['drawn 0', 'claimed 0', 'undone 0', 'claimed 1'],
  ])
})

test('clocks change nothing: a month of the database passes while the chain stands, and no turn ends', async () => {
  const story = await drawnTwo()
  const before = await story.rows()
  await world.db.execute(sql`update scan_cursor set updated_at = now() - interval '90 days'`)
  await story.sweep()
  expect(await story.rows()).toEqual(before)
  // And blocks that are being read again from an earlier one end no turn and begin none anew.
  await story.reach(story.end)
  const turned = await story.rows()
  await world.db.execute(sql`update scan_cursor set block_time = block_time - interval '10 days'`)
  await story.sweep()
  expect(await story.rows()).toEqual(turned)
})

test('a scan that turns several events and an administrator who ships both come to their end, whichever was first', async () => {
  const story = await drawnTwo()
  // The same prizes once more, in a second event: both have something to turn.
  await withOtherPast(world.db, async (tx) => {
    await tx.execute(
      sql`insert into events select (json_populate_record(e, json_build_object('number', 2, 'archived_at', now()))).* from events e`,
    )
    for (const table of ['draws', 'prizes'])
      await tx.execute(
        sql.raw(
          `insert into ${table} select (json_populate_record(d, '{"event_number": 2}')).* from ${table} d`,
        ),
      )
  })
  await world.mineAt(story.end)
  await world.mine(3)
  await world.scan()
  let turning: Promise<void> | undefined
  const isWaiting = async () =>
    (await world.db.execute(sql`select 1 from pg_locks where not granted`)).length > 0
  await world.db.transaction(async (tx) => {
    // He holds the prizes of the second event, and bumps the version behind them.
    await lockPrizes(tx, 2)
    turning = world.db.transaction((other) => turnUnsettled(other))
    turning.catch(() => undefined) // thrown below
    await until(isWaiting, 'the scan waits for the administrator')
    await bumpVersion(tx)
  })
  await turning
  const turned = (await world.db.select().from(prizes)).filter(({ holderKind }) => holderKind === 'reserve')
  expect(turned.map(({ eventNumber }) => eventNumber).sort()).toEqual([1, 2])
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
