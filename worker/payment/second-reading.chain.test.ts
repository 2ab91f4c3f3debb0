import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { isReadTwiceToEnd } from '../../db/payment/second-reading.ts'
import { saleEndAt } from '../../e2e/lab/draw-story.ts'
import { hookRpc } from '../../e2e/lab/hook-rpc.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { withOtherPast } from '../../e2e/lab/other-past.ts'
import { readTwiceStory } from '../../e2e/lab/read-twice.ts'
import { scan } from './scan.ts'
import { closeSale, readSecond } from './second-reading.ts'

const { world, a, b, alarms, workerOn, recorded, publicChanges, lose, passSaleEnd } = readTwiceStory()

const secondHeight = async (): Promise<number | undefined> => {
  const { readTwiceTo } = await world.event()
  return readTwiceTo === null ? undefined : Number(readTwiceTo)
}
/** Whether the whole sale was read twice; undefined before the freeze. */
const frozenTwice = async () => {
  const event = await world.event()
  return event.frozenAt ? isReadTwiceToEnd(event) : undefined
}

describe.each([
  ['one endpoint', () => [a]],
  ['two endpoints', () => [a, b]],
])('with %s', (_, endpoints) => {
  test('at the sale end the whole sale is read again at once, and the ledger is frozen with that said', async () => {
    const deps = workerOn(...endpoints())
    await world.sell()
    await passSaleEnd(deps)
    await closeSale(deps)
    expect(await frozenTwice()).toBe(true)
    expect(alarms).toEqual([])
  })

  test('a payment that is on no list is found: folded anew before the freeze, in public, with an alarm', async () => {
    const deps = workerOn(...endpoints())
    await world.sell()
    await world.mine(3)
    await scan(deps)
    const all = await recorded()
    await lose(all[1] as string)
    await passSaleEnd(deps)
    await closeSale(deps)
    expect(await world.event()).toMatchObject({ frozenAt: null, haltedAt: expect.any(Date) })
    expect(await publicChanges()).toEqual([expect.stringMatching(/folded anew: .*second reading/), 'halted'])
    expect(alarms).toEqual(['ledger taken back to be folded again'])
    await scan(deps)
    await closeSale(deps)
    expect(await recorded()).toEqual(all)
    expect(await frozenTwice()).toBe(true)
  })

  test('a payment on the list that is not on the chain is found too', async () => {
    const deps = workerOn(...endpoints())
    await world.sell()
    await world.mine(3)
    await scan(deps)
    const all = await recorded()
    await world.db.execute(sql`update payments set transaction_hash = ${`0x${'ee'.repeat(32)}`}
      where transaction_hash = ${all[2]}`)
    await passSaleEnd(deps)
    await closeSale(deps)
    expect(await world.event()).toMatchObject({ frozenAt: null, haltedAt: expect.any(Date) })
    await scan(deps)
    await closeSale(deps)
    expect(await recorded()).toEqual(all)
  })
})

test('what both nodes left out of a long catch-up is found by the second reading, once one tells it', async () => {
  await world.mineAt(5)
  await world.sell()
  await world.mine(3_200)
  const deps = workerOn(a, b)
  for (const proxy of [a, b]) proxy.set('missing-range-log')
  await scan(deps)
  expect(await recorded()).toHaveLength(2)
  await withOtherPast(world.db, (tx) =>
    tx.execute(sql`update events set sale_end = (select block_time from cursors where name = 'payments')`),
  )
  b.set()
  await closeSale(deps)
  a.set()
  await scan(deps)
  await closeSale(deps)
  expect(await recorded()).toHaveLength(3)
  expect(await frozenTwice()).toBe(true)
})

describe('an endpoint that cannot tell the sale', () => {
  test('whose logs lack a payment is shown by receipts, with an alarm', async () => {
    const deps = workerOn(a, b)
    await world.sell()
    await passSaleEnd(deps)
    b.set('missing-range-log')
    await closeSale(deps)
    expect(await frozenTwice()).toBe(true)
    expect(await recorded()).toHaveLength(3)
    expect(alarms).toEqual(['an endpoint tells other payments than the chain'])
  })

  describe('as it hides all payments in every way,', () => {
    const liar = forEachTest(() => hookRpc(world.url))
    /** From now on its blocks hold nothing. */
    const hide = () => {
      liar.hook = ({ method }, result) => {
        if (method === 'eth_getLogs') return []
        if (method !== 'eth_getBlockReceipts') return result
        return (result as object[]).map((receipt) => ({ ...receipt, logs: [] }))
      }
    }

    test('is passed over: two that differ stop nothing while the other one reads what is on record', async () => {
      const deps = workerOn(a, liar)
      await world.sell()
      await passSaleEnd(deps)
      hide()
      await closeSale(deps)
      expect(await frozenTwice()).toBe(true)
      expect(alarms).toEqual(['an endpoint tells other payments than the chain'])
    })

    test('once proven a liar, it hides nothing that the scan has missed: the other one reads the step again', async () => {
      const deps = workerOn(a, liar)
      await world.sell()
      await passSaleEnd(deps)
      const all = await recorded()
      await lose(all[0] as string)
      hide()
      await closeSale(deps)
      expect(await world.event()).toMatchObject({ frozenAt: null })
      expect(alarms).toEqual([
        'an endpoint tells other payments than the chain',
        'ledger taken back to be folded again',
      ])
      await scan(deps)
      await closeSale(deps)
      expect(await recorded()).toEqual(all)
    })

    test('does not hide a payment that is on no list: what the receipts of the header tell is put on it', async () => {
      const deps = workerOn(liar, b)
      await world.sell()
      await passSaleEnd(deps)
      const all = await recorded()
      await lose(all[0] as string)
      hide()
      await closeSale(deps)
      expect(await world.event()).toMatchObject({ frozenAt: null })
      expect(alarms).toEqual(['ledger taken back to be folded again'])
      for (let turn = 0; turn < 2; turn++) {
        await scan(deps)
        await closeSale(deps)
      }
      expect(await recorded()).toEqual(all)
      expect(await frozenTwice()).toBe(true)
    })
  })

  test('that leaves out the whole sale costs five blocks of receipts, however many differ', async () => {
    const deps = workerOn(a, b)
    for (let buyer = 1; buyer <= 8; buyer++) await world.pay(buyer, 3_00, buyer)
    await passSaleEnd(deps)
    a.set()
    b.set('empty-logs', 'no-block-receipts')
    await closeSale(deps)
    expect(a.asked('eth_getBlockReceipts') + b.asked('eth_getBlockReceipts')).toBeLessThanOrEqual(10)
    expect(alarms).toEqual(['an endpoint tells other payments than the chain'])
    expect(await frozenTwice()).toBe(true)
  })

  test('the ledger waits for the second reading with an alarm, at most half the lead: then it is frozen without', async () => {
    const deps = workerOn(a)
    await world.sell()
    await passSaleEnd(deps)
    a.set('logs-disabled', 'no-block-receipts')
    await closeSale(workerOn(a))
    await closeSale(workerOn(a))
    expect(await world.event()).toMatchObject({ frozenAt: null })
    expect(alarms).toEqual(['blocks of the sale could not be read twice'])

    // The lead of this story is 60 s.
    a.set()
    await passSaleEnd(deps, saleEndAt + 30)
    a.set('logs-disabled', 'no-block-receipts')
    await closeSale(workerOn(a))
    expect(await frozenTwice()).toBe(false)
    expect(alarms.slice(1)).toEqual(['ledger frozen without a second reading of the sale'])
  })
})

test('it follows the scan through the sale, a good way behind the head, and leaves a tail for the sale end', async () => {
  const deps = workerOn(a, b)
  await withOtherPast(world.db, (tx) => tx.execute(sql`update events set sale_end = null, draw_date = null`))
  await world.sell()
  await scan(deps)
  await readSecond(deps)
  const begin = (await secondHeight()) as number
  expect(begin).toBeLessThan(Number(await world.height()))
  await world.mine(4_000)
  await scan(deps)
  await readSecond(deps)
  expect(await secondHeight()).toBe(begin)
  await world.mine(2_100)
  await scan(deps)
  b.set()
  await readSecond(deps)
  expect(await secondHeight()).toBe(begin + 2_000)
  // One query of logs for 2,000 blocks; what the header of the last one says is agreed on.
  expect([b.asked('eth_getLogs'), b.asked('eth_getBlockReceipts')]).toEqual([1, 0])
})
