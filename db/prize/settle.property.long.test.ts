import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RaffleError } from '../../core/errors.ts'
import { unitsOf } from '../../core/money.ts'
import { settlePrizes } from '../../core/prize/token.ts'
import { transferMarks } from '../../core/refund/classes.ts'
import { testDb } from '../../e2e/lab/database.ts'
import { alice, bob } from '../../e2e/lab/ledger-story.ts'
import { RefundTrail } from '../../e2e/lab/refund-ledger.ts'
import { markTransfer } from '../refund/decisions.ts'
import { operatorTransfers, prizeSteps, prizes } from '../schema/index.ts'
import { listSteps } from './steps.ts'
import { unpaidTokenPrizes } from './unpaid.ts'

const people = [alice, bob]
const cents = fc.constantFrom(100, 200)
const who = fc.constantFrom(0, 1)
const step = fc.oneof(
  fc.record({ do: fc.constant('hand' as const), who, cents }),
  fc.record({ do: fc.constant('hand' as const), who, cents }),
  fc.record({ do: fc.constant('offer' as const) }),
  fc.record({ do: fc.constant('mine' as const) }),
  fc.record({ do: fc.constant('mine' as const) }),
  fc.record({ do: fc.constant('reorg' as const), back: fc.integer({ min: 1, max: 6 }) }),
  fc.record({ do: fc.constant('unmine' as const) }),
  fc.record({
    do: fc.constant('mark' as const),
    which: fc.integer({ min: 0, max: 9 }),
    mark: fc.option(fc.constantFrom(...transferMarks)),
  }),
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

/** Both are owed 2 USDT, and both have won as much. */
async function open(trail: RefundTrail): Promise<void> {
  for (const person of people) await trail.pay(person, 200)
  await trail.prepare('leftover')
  const { token, saleStart } = trail.event
  await trail.db.insert(prizes).values(
    people.map((wallet, index) => ({
      ...{ eventNumber: 1, place: index + 1, kind: 'token' as const, units: unitsOf(200), token, wallet },
      ...{
        drawnAt: saleStart,
        reachedAt: saleStart,
        drawnBlock: BigInt(trail.height),
        state: 'due' as const,
      },
      ...{ holderKind: 'winner' as const, holderPlace: index + 1, holderWallet: wallet },
    })),
  )
}

async function perform(trail: RefundTrail, done: Step): Promise<void> {
  switch (done.do) {
    case 'hand':
      return trail.byHand(people[done.who] as typeof alice, done.cents)
    case 'offer':
      await trail.offer()
      return
    case 'mine':
      return trail.mine()
    case 'reorg':
      await trail.rewind(Math.max(5, trail.height - done.back))
      return trail.watch()
    case 'unmine': {
      const last = trail.transfers.at(-1)
      if (!last) return
      await trail.rewind(Number(last.blockNumber))
      const gone = trail.transfers.splice(
        trail.transfers.findIndex(({ blockNumber }) => blockNumber >= last.blockNumber),
      )
      for (const { recipient, units, transactionHash } of gone)
        trail.pool.push({ to: recipient, units, hash: transactionHash })
      return trail.watch()
    }
    case 'mark': {
      const transfer = trail.transfers[done.which % Math.max(1, trail.transfers.length)]
      if (!transfer) return
      const { transactionHash } = transfer
      try {
        await trail.db.transaction((tx) =>
          markTransfer(tx, { transactionHash, position: 0, markedAs: done.mark }),
        )
      } catch (error) {
        // The prize is paid already by a transfer that comes before: `check` sees that nothing has changed.
        if (done.mark !== 'prize' || (error as RaffleError).code !== 'INVALID_VALUE') throw error
      }
    }
  }
}

/** What is stored is what the rule makes of the transfers that stand; none is both; a second watch changes nothing. */
async function check(trail: RefundTrail): Promise<void> {
  const all = await trail.db
    .select()
    .from(operatorTransfers)
    .orderBy(operatorTransfers.blockNumber, operatorTransfers.transactionHash)
  const records = await trail.db.select().from(prizes).orderBy(prizes.place)
  const live = all.filter(({ isGone }) => !isGone)
  const { paid, unpaid } = settlePrizes(
    records.map((one) => ({ ...one, units: one.units as bigint })),
    live.map((one) => ({ ...one, key: one.transactionHash, mark: one.markedAs })),
  )
  for (const one of all) {
    expect(one.prizePlace).toBe(one.isGone ? null : (paid.get(one.transactionHash)?.prize.place ?? null))
    if (one.prizePlace !== null) expect(one.rowId).toBeNull()
  }
  const left = [...unpaid.values()]
  expect(records.map(({ state }) => state)).toEqual(left.map((units) => (units === 0n ? 'paid' : 'due')))
  expect(await unpaidTokenPrizes(trail.db, 1)).toBe(left.reduce((sum, units) => sum + units, 0n))
  const steps = await listSteps(trail.db, [1])
  for (const [index, { place }] of records.entries())
    expect(steps.filter((one) => one.place === place)).toHaveLength(left[index] === 0n ? 1 : 0)
  // A refund that is settled was sent besides the prize.
  for (const { row } of await trail.rows())
    if (row.state === 'settled') {
      const wallet = row.to.toLowerCase()
      const sent = live.filter((one) => one.recipient === wallet && one.prizePlace === null && !one.notRefund)
      expect(sent.reduce((sum, { units }) => sum + units, 0n)).toBeGreaterThanOrEqual(BigInt(row.units))
    }
}

test('I39 whatever is sent, replaced, mined again and marked: a transfer is a prize, a refund or neither', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
      const own = await testDb()
      try {
        const trail = await RefundTrail.open(own)
        await open(trail)
        for (const done of steps) {
          await perform(trail, done)
          await check(trail)
        }
        const before = await trail.db.select().from(prizeSteps)
        await trail.watch()
        expect(await trail.db.select().from(prizeSteps)).toEqual(before)
      } finally {
        await own.close()
      }
    }),
    { numRuns: 20 },
  )
})
