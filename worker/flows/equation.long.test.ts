import { eq, sql } from 'drizzle-orm'
import { type Address, type Hex, numberToHex } from 'viem'
import { afterEach, describe, expect, test } from 'vitest'
import { listChanges } from '../../db/event/changes.ts'
import { getOpenEvent } from '../../db/event/events.ts'
import { resumeSales } from '../../db/event/sale.ts'
import { isDoubtful } from '../../db/flows/place.ts'
import { operatorTransfers, solvency, walletOpenings } from '../../db/schema/index.ts'
import { hookRpc } from '../../e2e/lab/hook-rpc.ts'
import { openMoney, told } from '../../e2e/lab/money.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
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

  test('of each of many payments is a difference that is never the same twice: that breaks the equation too, and is told once', async () => {
    await opened()
    a.hook = b.hook = without(hidden())
    for (let block = 0; block < 4; block++) {
      await money.pay(9_00, { from: hidden() })
      await money.minuteLater()
      await settle()
      expect(await equation()).toBe(block === 0 ? 'unknown' : 'broken')
      expect(await isHalted()).toBe(block > 0)
    }
    const fields = (await listChanges(money.db)).map(({ field }) => field)
    expect(fields.filter((field) => field === 'ledger')).toHaveLength(1)
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

  test('is a doubt at the first final block, which asks for the next one at once, and none when it is found by then', async () => {
    await opened()
    await money.db.execute(sql`update wallet_openings set units = units - 1`)
    await money.minuteLater()
    await settle()
    expect(await isDoubtful(money.db)).toBe(true)
    await money.db.execute(sql`update wallet_openings set units = units + 1`)
    await settle()
    expect([await isDoubtful(money.db), await equation(), await isHalted()]).toEqual([false, 'holds', false])
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

  test('later: what is held is told by the transfers, and the equation is unknown until both tell it again', async () => {
    await opened()
    b.hook = refuse('internal error')
    await money.pay(9_00)
    await money.minuteLater()
    expect(await settle()).toMatchObject({ state: 'covered', required: told(9_00), equation: 'unknown' })
    expect(await isHalted()).toBe(false)
    b.hook = (_, result) => result
    await money.minuteLater()
    expect(await settle()).toMatchObject({ equation: 'holds' })
  })
})

describe('what happens to blocks and workers', () => {
  test('an outflow that a reorg takes is not held against the wallet; mined again it counts once', async () => {
    const first = await opened()
    const hash = await money.sendOut(5_00)
    expect(await settle()).toMatchObject({ outflow: { other: told(5_00) } })
    const raw = await money.chain.rpc<string>('eth_getRawTransactionByHash', [hash])
    await money.chain.reorg(3)
    await money.chain.drop(hash)
    await money.chain.mine(2)
    for (let round = 0; round < 3; round++) await settle()
    expect(await money.now()).toMatchObject({ held: first.held, outflow: { other: '0' }, others: [] })
    expect((await money.db.select().from(operatorTransfers)).map(({ isGone }) => isGone)).toEqual([true])
    await money.chain.rpc('eth_sendRawTransaction', [raw])
    await settle()
    await money.minuteLater()
    const again = await settle()
    expect(again).toMatchObject({
      equation: 'holds',
      outflow: { other: told(5_00) },
      lowest: { transactionHash: hash },
    })
    expect(await isHalted()).toBe(false)
  })

  test('an opening whose block a reorg takes is taken anew', async () => {
    await opened()
    await money.pay(9_00)
    await money.chain.reorg(4)
    await money.chain.mine(3)
    for (let round = 0; round < 3; round++) await settle()
    const openings = await money.db.select().from(walletOpenings)
    expect(openings.map(({ closedAt }) => closedAt !== null).sort()).toEqual([false, true])
    expect(await money.now()).toMatchObject({ state: 'covered', equation: 'holds' })
  })

  test('a worker that dies between its steps, and two at once, come to the same', async () => {
    await opened()
    await money.pay(9_00)
    await money.sendOut(4_00)
    const dying = {
      ...two,
      chain: { ...two.chain, tokenBalances: () => Promise.reject(new Error('killed')) },
    }
    await money.minuteLater()
    await expect(money.settle(dying)).rejects.toThrow('killed')
    const other = money.sale.depsOn(a.url, b.url)
    await Promise.all([money.pass(two), money.pass(other)])
    expect(await money.now()).toMatchObject({
      ...{ required: told(9_00), equation: 'holds' },
      outflow: { other: told(4_00) },
    })
  })

  test('a clock that was set back asks again all the same, and changes no amount', async () => {
    await opened()
    await money.db.update(solvency).set({ askedAt: sql`now() + interval '1 day'` })
    a.asked.length = 0
    await money.pay(9_00)
    expect(await settle()).toMatchObject({ required: told(9_00), equation: 'holds' })
    expect(a.asked.filter((method) => method === 'eth_call')).toHaveLength(1)
  })

  test('what changes among older transfers is reckoned anew: a refund that was none', async () => {
    await opened()
    await money.sendOut(5_00)
    await settle()
    await money.db
      .update(operatorTransfers)
      .set({ notRefund: true })
      .where(eq(operatorTransfers.isGone, false))
    await money.pay(9_00)
    expect(await settle()).toMatchObject({ outflow: { other: told(5_00) }, required: told(9_00) })
  })
})

test('a minute of a quiet chain costs one question and one more for each wallet, of each endpoint', async () => {
  await opened()
  await money.addRefundWallet(money.chain.buyers[4] as Address)
  await settle()
  await settle()
  const reckoned = async () => {
    await money.chain.finalize()
    await scan(two)
    await watchRefunds(two)
    for (const node of [a, b]) node.asked.length = 0
    await reckon({ ...two, refundMinUnits: 0n })
    return [a.asked.length, b.asked.length]
  }
  // Nothing has moved, no older flow has changed of late, and a minute has not passed.
  await money.db.update(solvency).set({ reckonedAt: sql`now() + interval '1 minute'` })
  expect(await reckoned()).toEqual([0, 0])
  await money.minuteLater()
  const asked = await reckoned()
  for (const count of asked) expect(count).toBeLessThanOrEqual(1 + 2)
  expect(await equation()).toBe('holds')
})
