import { sql } from 'drizzle-orm'
import { type Address, type Hash, type Hex, numberToHex } from 'viem'
import { afterEach, describe, expect, test } from 'vitest'
import { unknownSolvency } from '../../core/flows/unknown.ts'
import type { PublicSolvency } from '../../core/live/solvency.ts'
import { unitsOf } from '../../core/money.ts'
import { listChanges } from '../../db/event/changes.ts'
import { getOpenEvent } from '../../db/event/events.ts'
import { resumeSales } from '../../db/event/sale.ts'
import { isDoubtful } from '../../db/flows/place.ts'
import { loadSolvency } from '../../db/flows/solvency.ts'
import { solvency, walletOpenings } from '../../db/schema/index.ts'
import { operator } from '../../e2e/lab/chain.ts'
import { hookRpc } from '../../e2e/lab/hook-rpc.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { withOtherPast } from '../../e2e/lab/other-past.ts'
import { openSale } from '../../e2e/lab/sale.ts'
import { mintData, usdt } from '../../e2e/lab/usdt.ts'
import type { Deps } from '../deps.ts'
import { scan } from '../payment/scan.ts'
import { watchRefunds } from '../refund/watch.ts'
import { reckon } from './reckon.ts'

const money = forEachTest(openMoney)
const [a, b] = [forEachTest(() => hookRpc(money.chain.url)), forEachTest(() => hookRpc(money.chain.url))]
let two: Deps
afterEach(() => {
  for (const node of [a, b]) node.hook = (_, result) => result
})

/** Both endpoints tell nothing of what this address sends or gets, but for balances. */
const without =
  (address: Address): typeof a.hook =>
  ({ method }, result) => {
    const isOf = (log: { topics: string[] }) =>
      log.topics.some((topic) => topic.toLowerCase().endsWith(address.slice(2).toLowerCase()))
    if (method === 'eth_getLogs') return (result as { topics: string[] }[]).filter((log) => !isOf(log))
    if (method !== 'eth_getBlockReceipts') return result
    return (result as { logs: { topics: string[] }[] }[]).map((receipt) => ({
      ...receipt,
      logs: receipt.logs.filter((log) => !isOf(log)),
    }))
  }
const opened = () => {
  two = money.sale.depsOn(a.url, b.url)
  return money.settle(two)
}
const settle = () => money.settle(two)
const isHalted = async () => (await getOpenEvent(money.db))?.haltedAt != null
const equation = async () => (await money.now()).equation
const hidden = () => money.chain.buyers[3] as Address
/** A minute passes, and another final block after it. */
async function twoMore() {
  await money.minuteLater()
  await settle()
  const first = await equation()
  await settle()
  return [first, await equation()]
}

describe('a log that is left out', () => {
  test('of a payment by both endpoints breaks the equation at the second final block: an alarm, sales wait, everybody is told', async () => {
    expect((await opened()).equation).toBe('holds')
    a.hook = b.hook = without(hidden())
    await money.pay(9_00, { from: hidden() })
    await settle()
    expect(await twoMore()).toEqual(['unknown', 'broken'])
    expect(await money.now()).toMatchObject({ state: 'unknown', equation: 'broken' })
    expect(await isHalted()).toBe(true)
    const changes = await listChanges(money.db)
    expect(changes.slice(0, 2).map(({ field, to }) => [field, to])).toEqual([
      ['sales', 'halted'],
      ['ledger', expect.stringContaining(`holds ${told(9_00)} units otherwise`)],
    ])
    expect(await isDoubtful(money.db)).toBe(false)
  })

  test('of an outflow by both endpoints breaks it as well, and once: resumed sales are not halted for the same again', async () => {
    await opened()
    a.hook = b.hook = without(hidden())
    await money.sendOut(5_00, hidden())
    await settle()
    expect(await twoMore()).toEqual(['unknown', 'broken'])
    expect(await resumeSales(money.db)).toBe(true)
    expect(await twoMore()).toEqual(['broken', 'broken'])
    expect(await isHalted()).toBe(false)
    // Another one is another alarm, also where nobody has explained the first.
    await money.sendOut(7_00, hidden())
    await settle()
    expect(await twoMore()).toEqual(['broken', 'broken'])
    expect(await isHalted()).toBe(true)
  })

  test('by one of two endpoints breaks nothing: nothing is read until they say the same', async () => {
    await opened()
    b.hook = without(hidden())
    await money.sendOut(5_00, hidden())
    await expect(settle()).rejects.toThrow()
    await money.minuteLater()
    await expect(settle()).rejects.toThrow()
    expect(await equation()).toBe('holds')
    b.hook = (_, result) => result
    await settle()
    expect((await money.now()).outflow.other).toBe(told(5_00))
    expect(await isHalted()).toBe(false)
  })
})

test('an endpoint that tells the balance of another block than was asked for by its hash is believed in nothing', async () => {
  await opened()
  const before = await money.now()
  // It answers by number: what was held a block before.
  a.hook = ({ method, params }, result) =>
    method === 'eth_call' && typeof params[1] === 'object'
      ? numberToHex(BigInt(result as Hex) - 1n, { size: 32 })
      : result
  await money.pay(3_00)
  await money.minuteLater()
  await settle()
  await money.minuteLater()
  await settle()
  expect(await money.now()).toMatchObject({ equation: 'unknown', state: before.state })
  expect(await isHalted()).toBe(false)
  // Both of them are: then it is as if a transfer was missed, and sales wait, as nobody can tell which is true.
  b.hook = a.hook
  expect(await twoMore()).toEqual(['unknown', 'broken'])
  expect(await isHalted()).toBe(true)
})

describe('balances that cannot be had', () => {
  const balances =
    (answer: (result: unknown) => unknown): typeof a.hook =>
    ({ method }, result) =>
      method === 'eth_call' ? answer(result) : result
  const refuse = (message: string) =>
    balances(() => {
      throw { code: -32000, message }
    })
  const gap = async () =>
    (await money.db.select().from(walletOpenings))
      .filter(({ closedAt }) => closedAt === null)
      .map(({ why }) => why)

  test.each([
    [
      'one endpoint is silent',
      () => {
        b.hook = refuse('internal error')
      },
      'silent',
    ],
    [
      'both have dropped the state',
      () => {
        a.hook = b.hook = refuse('missing trie node 0x00 (path )')
      },
      'state_gone',
    ],
    [
      'they differ',
      () => {
        b.hook = balances(() => `0x${'1'.repeat(64)}`)
      },
      'differ',
    ],
  ])('%s: only unknown is said, with the reason, and no alarm', async (_, arrange, why) => {
    arrange()
    expect(await opened()).toMatchObject({ state: 'unknown', equation: 'unknown', held: '0' })
    expect(await gap()).toEqual([why])
    await money.minuteLater()
    await settle()
    expect([await isHalted(), await isDoubtful(money.db)]).toEqual([false, false])
    a.hook = b.hook = (_, result) => result
    await money.minuteLater()
    expect(await settle()).toMatchObject({ state: 'covered', equation: 'holds' })
    expect(await gap()).toEqual([null])
  })
})

const refundMinUnits = unitsOf(10n)

/** Cents as units in decimal text, which is how amounts are told. */
const told = (cents: number): string => `${unitsOf(BigInt(cents))}`

/** A sale whose wallet has signed and holds 1,000 USDT of the operator's own, with the verbs of the money that it holds. */
async function openMoney() {
  const sale = await openSale()
  const { db, chain } = sale

  /** Registered and signed before the chain's first block, as far as anybody knows. */
  const asOfOld = (wallet: Address) =>
    withOtherPast(db, (tx) =>
      tx.execute(sql`update operator_wallets set (since, own_since, proven_since) = (select s, s, s from (
        select min(sale_start) as s from events) e) where address = ${wallet}`),
    )
  await asOfOld(operator)
  await chain.submit({ from: operator, to: usdt, data: mintData(operator, unitsOf(1_000_00n)) })
  await chain.mine()

  async function pass(deps: Deps = sale.deps): Promise<void> {
    await scan(deps)
    await watchRefunds(deps)
    await reckon({ ...deps, refundMinUnits })
  }
  const now = async (): Promise<PublicSolvency> => {
    const event = await getOpenEvent(db)
    return event ? loadSolvency(db, event) : unknownSolvency(0, operator)
  }

  return {
    ...{ sale, db, chain, pass, now, asOfOld },
    close: sale.close,
    /** What waits in the pool is mined and final, and the workers pass it. */
    async settle(deps?: Deps): Promise<PublicSolvency> {
      await chain.finalize()
      await pass(deps)
      return now()
    },
    /** As if the last question were longer ago than balances are left alone. */
    minuteLater: () => db.update(solvency).set({ askedAt: sql`now() - interval '61 seconds'` }),
    pay: (cents: number, { from = chain.buyers[0], to = operator } = {}): Promise<Hash> =>
      chain.submitPayment({ from, to, cents }),
    sendOut: (cents: number, to: Address = chain.buyers[3] as Address): Promise<Hash> =>
      chain.submitPayment({ from: operator, to, cents }),
  }
}
