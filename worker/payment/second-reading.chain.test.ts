import { sql } from 'drizzle-orm'
import pino from 'pino'
import { type Hex, pad } from 'viem'
import { beforeEach, describe, expect, test } from 'vitest'
import { enterRefundMode } from '../../db/draw/facts.ts'
import { freezeLedger } from '../../db/payment/ledger.ts'
import { isReadTwiceToEnd } from '../../db/payment/second-reading.ts'
import { refundInfo } from '../../db/refund/dues.ts'
import { payments } from '../../db/schema/index.ts'
import { openDrawWorld, saleEndAt } from '../../e2e/lab/draw-story.ts'
import { hookRpc } from '../../e2e/lab/hook-rpc.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { withOtherPast } from '../../e2e/lab/other-past.ts'
import { type RpcProxy, startRpcProxy } from '../../e2e/lab/rpc-proxy.ts'
import { patient } from '../../e2e/lab/test-time.ts'
import { usdt } from '../../e2e/lab/usdt.ts'
import { rpc } from '../../infra/local/rpc.ts'
import { connectChain } from '../chain/index.ts'
import type { Deps } from '../deps.ts'
import { scan } from './scan.ts'
import { closeSale, readSecond } from './second-reading.ts'

const world = forEachTest(() => openDrawWorld({ history: false }))
const a = forEachTest(() => startRpcProxy(world.url))
const b = forEachTest(() => startRpcProxy(world.url))
let alarms: string[]
beforeEach(() => {
  alarms = []
})

/** A worker that has just started, on these endpoints. */
function workerOn(...proxies: Pick<RpcProxy, 'url'>[]): Deps {
  const urls = proxies.map(({ url }) => url)
  const write = (line: string) => {
    const { level, msg } = JSON.parse(line) as { level: number; msg: string }
    if (level === 60) alarms.push(msg)
  }
  return { ...world.deps, chain: connectChain(urls, 56, patient), log: pino({}, { write }) }
}

const recorded = async (): Promise<string[]> =>
  (await world.db.select().from(payments).orderBy(payments.ticketNumber)).map(
    ({ transactionHash }) => transactionHash,
  )
const secondHeight = async (): Promise<number | undefined> => {
  const { readTwiceTo } = await world.event()
  return readTwiceTo === null ? undefined : Number(readTwiceTo)
}
/** Whether the whole sale was read twice; undefined before the freeze. */
const frozenTwice = async () => {
  const event = await world.event()
  return event.frozenAt ? isReadTwiceToEnd(event) : undefined
}
const publicChanges = async (): Promise<(string | null)[]> =>
  (await world.db.execute<{ to: string | null }>(sql`select "to" from changes order by id`)).map(
    ({ to }) => to,
  )

/** A bug, or a lie that nobody noticed: a payment is on no list. */
async function lose(hash: string): Promise<void> {
  await world.db.execute(sql`update events set tickets_sold = tickets_sold
    - (select ticket_count from payments where transaction_hash = ${hash})`)
  await world.db.execute(sql`delete from payments where transaction_hash = ${hash}`)
}
/** Blocks past the sale end are final and folded. */
async function passSaleEnd(deps: Deps, second = saleEndAt): Promise<void> {
  await world.mineAt(second)
  await world.mine(3)
  await scan(deps)
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

describe('a list that is frozen', () => {
  /** Frozen without a second reading, which goes on; a payment is on no list, another one on no chain. */
  async function frozenWrong(change: (hash: string) => Promise<unknown>): Promise<Deps> {
    const deps = workerOn(a, b)
    await world.sell()
    await passSaleEnd(deps)
    await change((await recorded())[1] as string)
    a.set('logs-disabled', 'no-block-receipts')
    b.set('logs-disabled', 'no-block-receipts')
    await freezeLedger(world.db)
    a.set()
    b.set()
    return workerOn(a, b)
  }

  test('stays, and a payment that it lacks is missed', async () => {
    const deps = await frozenWrong(lose)
    const { ledgerSha256 } = await world.event()
    await readSecond(deps)
    expect(alarms).toEqual(['payments were missed by the scan'])
    expect(await world.event()).toMatchObject({ ledgerSha256, haltedAt: null, refundModeAt: null })
    expect((await publicChanges()).at(-1)).toMatch(/^missed: /)
    await readSecond(deps)
    expect(alarms).toHaveLength(1)
  })

  const lostLine = 'the chain has lost a payment of the frozen list'
  const drawInAnHour = () =>
    withOtherPast(world.db, (tx) => tx.execute(sql`update events set draw_date = now() + interval '1 hour'`))

  test('and has a line that the chain never had ends in refunds of what it has', async () => {
    const deps = await frozenWrong((hash) =>
      world.db.execute(
        sql`update payments set transaction_hash = ${`0x${'ee'.repeat(32)}`} where transaction_hash = ${hash}`,
      ),
    )
    await drawInAnHour()
    await readSecond(deps)
    expect(alarms).toEqual(['payments were missed by the scan', lostLine])
    expect(await enterRefundMode(world.db, 1)).toBe('ledger')
    // 99, 3.50 and 15 USDT: what the chain has, and that alone.
    expect((await refundInfo(world.db, 1)).totalAmount).toBe(117_50)
    await readSecond(deps)
    expect(alarms).toHaveLength(2)
  })

  describe('whose last block was replaced', () => {
    /** Sold, frozen, and without the block of the last line, whose transaction is sent again. */
    async function replaced(before: () => Promise<unknown> = async () => undefined) {
      const deps = workerOn(a, b)
      await world.sell()
      await passSaleEnd(deps)
      await closeSale(deps)
      await drawInAnHour()
      const hash = (await recorded()).at(-1) as string
      const raw = await rpc<string>(world.url, 'eth_getRawTransactionByHash', [hash])
      const { blockNumber } = await rpc<{ blockNumber: string }>(world.url, 'eth_getTransactionByHash', [
        hash,
      ])
      await rpc(world.url, 'anvil_reorg', [Number(await world.height()) - Number(blockNumber) + 1, []])
      await before()
      return { hash, again: () => rpc(world.url, 'eth_sendRawTransaction', [raw]) }
    }
    const publicLines = async () =>
      (await publicChanges()).filter((text) => /^(lost|found): /.test(text ?? ''))
    async function readOn(): Promise<void> {
      await passSaleEnd(workerOn(a, b), saleEndAt + 5)
      return readSecond(workerOn(a, b))
    }

    test('stays, with nothing told, where the payment is in another block now', async () => {
      const { again } = await replaced()
      await again()
      await readOn()
      expect([await publicLines(), await enterRefundMode(world.db, 1)]).toEqual([[], undefined])
    })

    test('is not lost while its transaction waits for a block', async () => {
      const { again } = await replaced()
      await passSaleEnd(workerOn(a, b), saleEndAt + 5)
      await rpc(world.url, 'evm_setAutomine', [false])
      await again()
      await expect(readSecond(workerOn(a, b))).rejects.toMatchObject({ code: 'RPC_UNAVAILABLE' })
      expect(await publicLines()).toEqual([])
    })

    test('is lost where the same transaction reverts now, as its payer has spent the money', async () => {
      const word = (value: string) => pad(value as Hex).slice(2)
      const [payer, thief] = [world.accounts[3] as string, world.accounts[9] as string]
      await world.send(3, `0x095ea7b3${word(thief)}${'f'.repeat(64)}`)
      const { hash, again } = await replaced(async () => {
        const all = await rpc<Hex>(world.url, 'eth_call', [
          { to: usdt, data: `0x70a08231${word(payer)}` },
          'latest',
        ])
        await world.send(9, `0x23b872dd${word(payer)}${word(thief)}${all.slice(2)}`)
      })
      await again()
      await readOn()
      expect(await publicLines()).toEqual([`lost: ${hash}`])
      expect(alarms.at(-1)).toBe(lostLine)
    })
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
