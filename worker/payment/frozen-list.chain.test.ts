import { sql } from 'drizzle-orm'
import { type Hex, pad } from 'viem'
import { describe, expect, test } from 'vitest'
import { enterRefundMode } from '../../db/draw/facts.ts'
import { freezeLedger } from '../../db/payment/ledger.ts'
import { refundInfo } from '../../db/refund/dues.ts'
import { saleEndAt } from '../../e2e/lab/draw-story.ts'
import { withOtherPast } from '../../e2e/lab/other-past.ts'
import { readTwiceStory } from '../../e2e/lab/read-twice.ts'
import { usdt } from '../../e2e/lab/usdt.ts'
import { rpc } from '../../infra/local/rpc.ts'
import type { Deps } from '../deps.ts'
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
