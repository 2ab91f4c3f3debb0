import { sql } from 'drizzle-orm'
import { type Hex, pad } from 'viem'
import { describe, expect, test } from 'vitest'
import { enterRefundMode } from '../../db/draw/facts.ts'
import { freezeLedger } from '../../db/payment/ledger.ts'
import { refundInfo } from '../../db/refund/dues.ts'
import { saleEndAt } from '../../e2e/lab/draw-story.ts'
import { hookRpc } from '../../e2e/lab/hook-rpc.ts'
import { withOtherPast } from '../../e2e/lab/other-past.ts'
import { readTwiceStory } from '../../e2e/lab/read-twice.ts'
import { startRpcProxy } from '../../e2e/lab/rpc-proxy.ts'
import { usdt } from '../../e2e/lab/usdt.ts'
import { rpc } from '../../infra/local/rpc.ts'
import type { Deps } from '../deps.ts'
import { askLostLines } from './rewind.ts'
import { closeSale, readSecond } from './second-reading.ts'

const { world, a, b, alarms, workerOn, recorded, publicChanges, lose, passSaleEnd } = readTwiceStory()

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
    /** Sold, frozen, and without the blocks of the last lines, whose transactions are sent again by hand. */
    async function replaced(lines = 1, deps = workerOn(a, b)) {
      await world.sell()
      await passSaleEnd(deps)
      await closeSale(deps)
      await drawInAnHour()
      const hashes = (await recorded()).slice(-lines)
      const ask = <T>(method: string) => Promise.all(hashes.map((hash) => rpc<T>(world.url, method, [hash])))
      const raws = await ask<string>('eth_getRawTransactionByHash')
      const [first] = await ask<{ blockNumber: string }>('eth_getTransactionByHash')
      await rpc(world.url, 'anvil_reorg', [Number(await world.height()) - Number(first?.blockNumber) + 1, []])
      const again = () => rpc(world.url, 'eth_sendRawTransaction', [raws[0]])
      return { hash: hashes[0] as string, other: hashes[1], again }
    }
    const publicLines = async () =>
      (await publicChanges()).filter((text) => /^(lost|found): /.test(text ?? ''))
    async function readOn(deps = workerOn(a, b)): Promise<void> {
      await passSaleEnd(workerOn(a, b), saleEndAt + 5)
      return readSecond(deps)
    }

    test('stays, with nothing told, where the payment is in another block now', async () => {
      const { again } = await replaced()
      await again()
      await readOn()
      expect([await publicLines(), await enterRefundMode(world.db, 1)]).toEqual([[], undefined])
    })

    test('is not lost while its transaction waits for a block; another one that is lost is told', async () => {
      const { other, again } = await replaced(2)
      await passSaleEnd(workerOn(a, b), saleEndAt + 5)
      await rpc(world.url, 'evm_setAutomine', [false])
      await again()
      await expect(readSecond(workerOn(a, b))).rejects.toMatchObject({ code: 'RPC_UNAVAILABLE' })
      expect(await publicLines()).toEqual([`lost: ${other}`])
    })

    test('is lost where two endpoints say so, and a third one is down', async () => {
      const down = await startRpcProxy(world.url)
      const { hash } = await replaced(1, workerOn(a, b, down))
      await down.stop()
      await readOn(workerOn(a, b, down))
      expect(await publicLines()).toEqual([`lost: ${hash}`])
    })

    test('is found again where a block took it in while its loss was asked about', async () => {
      const late = hookRpc(world.url)
      const { hash, again } = await replaced()
      late.hook = async ({ method }, result) => {
        if (method !== 'eth_getTransactionByHash') return result
        await again()
        await passSaleEnd(workerOn(a, b), saleEndAt + 10)
        return result
      }
      await readOn(workerOn(late))
      expect(await publicLines()).toEqual([`lost: ${hash}`])
      await askLostLines(workerOn(a, b))
      expect([await publicLines(), alarms.slice(-2)]).toEqual([
        [`lost: ${hash}`, `found: ${hash}`],
        [lostLine, 'the chain has a payment of the frozen list that was lost'],
      ])
      expect(await enterRefundMode(world.db, 1)).toBe('ledger')
      expect((await refundInfo(world.db, 1)).totalTickets).toBe((await world.event()).ticketsSold)
    })

    test('is lost where the same transaction reverts now, as its payer has spent the money', async () => {
      const word = (value: string) => pad(value as Hex).slice(2)
      const [payer, thief] = [world.accounts[3] as string, world.accounts[9] as string]
      await world.send(3, `0x095ea7b3${word(thief)}${'f'.repeat(64)}`)
      const { hash, again } = await replaced()
      const all = await rpc<Hex>(world.url, 'eth_call', [
        { to: usdt, data: `0x70a08231${word(payer)}` },
        'latest',
      ])
      await world.send(9, `0x23b872dd${word(payer)}${word(thief)}${all.slice(2)}`)
      await again()
      await readOn()
      expect(await publicLines()).toEqual([`lost: ${hash}`])
      expect(alarms.at(-1)).toBe(lostLine)
    })
  })
})
