import { eq } from 'drizzle-orm'
import { afterEach, describe, expect, test } from 'vitest'
import { blockSeedOf, drawWinner } from '../../core/draw/draw.ts'
import type { RaffleError } from '../../core/errors.ts'
import { refundCauses } from '../../core/refund/rules.ts'
import { wantDraw } from '../../db/draw/draws.ts'
import { dueDraws } from '../../db/draw/facts.ts'
import { getEnding, getScanCursor } from '../../db/event/sale.ts'
import { paymentBlocks, rewind } from '../../db/payment/rewind.ts'
import { draws, events, payments } from '../../db/schema/index.ts'
import { testDb } from '../../e2e/lab/database.ts'
import { type DrawWorld, drawAt, openDrawWorld } from '../../e2e/lab/draw-story.ts'
import { rpc } from '../../infra/local/rpc.ts'
import { closeSale } from '../payment/second-reading.ts'
import { readDrawBlocks } from './draw.ts'

let world: DrawWorld
afterEach(() => world?.close())

const drawOf = async () => (await world.db.select().from(draws))[0]
const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'done',
    (error) => (error as RaffleError).code,
  )

async function readyToDraw(options: Parameters<typeof openDrawWorld>[0] = {}): Promise<bigint> {
  world = await openDrawWorld(options)
  return world.toDraw()
}

describe('the draw', () => {
  test('D1, D2: is made once, however many workers race, of the five blocks up to the first one at the draw date, and stays', async () => {
    const drawBlock = await readyToDraw()
    expect(await dueDraws(world.db)).toEqual([1])
    const racing = await Promise.all(Array.from({ length: 12 }, () => codeOf(world.draw())))
    expect(new Set(racing)).toEqual(new Set(['done']))
    expect(await dueDraws(world.db)).toEqual([])
    const [row, ...others] = await world.db.select().from(draws)
    expect(others).toEqual([])
    expect(row?.blocks.map((block) => BigInt(block.number))).toEqual(
      [-4n, -3n, -2n, -1n, 0n].map((i) => drawBlock + i),
    )
    expect(row?.blocks.at(-1)?.timestamp).toBe(world.start + drawAt)
    const result = drawWinner(blockSeedOf(row?.blocks.map((block) => block.hash) ?? []), 39)
    expect(row).toMatchObject({
      ...result,
      ticketsSold: 39,
      ledgerSha256: (await world.event()).ledgerSha256,
    })
    const [winner] = await world.db
      .select()
      .from(payments)
      .where(eq(payments.id, row?.winningPayment ?? 0))
    expect(winner?.ticketNumber).toBeLessThanOrEqual(result.winningTicket)
    expect((winner?.ticketNumber ?? 0) + (winner?.ticketCount ?? 0)).toBeGreaterThan(result.winningTicket)
    for (const change of [
      world.db.update(draws).set({ winningTicket: 1 }),
      world.db.delete(draws),
      world.db.execute('truncate draws cascade'),
    ])
      await expect(change).rejects.toThrow()
    expect(await drawOf()).toEqual(row)
  })

  test('D1: counts the tickets by the list, whatever the column of the event says', async () => {
    await readyToDraw({ minTickets: 39 })
    await world.db.update(events).set({ ticketsSold: 1 })
    await world.draw()
    const row = await drawOf()
    const hashes = row?.blocks.map((block) => block.hash) ?? []
    expect(row).toMatchObject({ ...drawWinner(blockSeedOf(hashes), 39), ticketsSold: 39 })
  })

  test('D1: gives the same result however late it is started', async () => {
    await readyToDraw()
    const { chain } = world.deps
    const seen = new Set<string>()
    for (const delay of [0, 1, 7, 40, 120]) {
      const head = await chain.finalized()
      const blocks = await readDrawBlocks(chain, world.start + drawAt, head, BigInt(delay % 3))
      seen.add(JSON.stringify(blocks.map((block) => block.hash)))
      await world.mine(1 + delay)
    }
    await world.scan()
    await world.draw()
    const row = await drawOf()
    expect([...seen]).toEqual([JSON.stringify(row?.blocks.map((block) => block.hash))])
  })

  test('waits for a call where the event was opened with AUTO_DRAW off', async () => {
    await readyToDraw({ autoDraw: false })
    // Its blocks are noted.
    expect(await dueDraws(world.db)).toEqual([1])
    await world.draw()
    expect([await dueDraws(world.db), await drawOf()]).toEqual([[], undefined])
    await wantDraw(world.db, 1)
    expect(await dueDraws(world.db)).toEqual([1])
    await world.draw()
    expect(await drawOf()).toBeDefined()
  })

  test('D3: waits until the draw block is final and read', async () => {
    world = await openDrawWorld()
    await world.sell()
    await world.endSale()
    await world.reachDraw(0)
    expect(await codeOf(world.draw())).toBe('NOT_FINAL')
    await world.mine(1)
    expect(await codeOf(world.draw())).toBe('NOT_FINAL')
    await world.mine(1)
    expect(await codeOf(world.draw())).toBe('NOT_FINAL')
    await world.scan()
    expect(await codeOf(world.draw())).toBe('done')
    expect(await drawOf()).toBeDefined()
  })

  test('D3: refuses while endpoints disagree about one of the five blocks', async () => {
    await readyToDraw()
    const { chain } = world.deps
    for (const wrong of [0, 4]) {
      const lying = {
        ...chain,
        agreedHeaders: async (numbers: readonly bigint[]) => {
          const headers = await chain.agreedHeaders(numbers)
          return headers.map((header, i) =>
            i === wrong ? { ...header, timestamp: world.start + drawAt * (wrong ? 0 : 2) } : header,
          )
        },
      }
      expect(await codeOf(world.draw({ chain: lying }))).toBe('RPC_DISAGREE')
    }
    expect(await drawOf()).toBeUndefined()
  })

  test.each([1, 4])(
    'D3: after a reorg of %i blocks around the draw block, the blocks that stand are drawn from',
    async (depth) => {
      world = await openDrawWorld()
      await world.sell()
      await world.endSale()
      await world.reachDraw(1)
      expect(await codeOf(world.draw())).toBe('NOT_FINAL')
      await rpc(world.url, 'anvil_reorg', [depth, []])
      await world.mine(8)
      await world.mineAt(drawAt + 20)
      await world.mine(3)
      // The first run finds that the chain changed below the cursor, the second one continues from there.
      await world.scan()
      await world.scan()
      await world.draw()
      await world.draw()
      const row = await drawOf()
      const first = row?.blocks[4]
      const header = await world.deps.chain.header(BigInt(first?.number ?? 0))
      expect(header).toMatchObject({ hash: first?.hash, timestamp: first?.timestamp })
      expect(first?.timestamp).toBeGreaterThanOrEqual(world.start + drawAt)
      expect(row?.blocks[3]?.timestamp).toBeLessThan(world.start + drawAt)
    },
  )

  test('D4, I13: a list that differs from the published fingerprint is never drawn from', async () => {
    await readyToDraw()
    await world.db
      .update(payments)
      .set({ payer: `0x${'ee'.repeat(20)}` })
      .where(eq(payments.ticketNumber, 1))
    expect(await codeOf(world.draw())).toBe('done')
    expect(await drawOf()).toBeUndefined()
  })

  test('D4: a payment after the sale end gets no ticket and does not hold up the draw', async () => {
    world = await openDrawWorld()
    await world.sell()
    await world.endSale()
    await world.pay(4, 30_00, drawAt - 20)
    await world.reachDraw()
    await world.draw()
    expect((await drawOf())?.ticketsSold).toBe(39)
    expect(await world.db.select().from(payments).where(eq(payments.reason, 'late'))).toHaveLength(1)
  })
})

describe('refund mode', () => {
  test.each([true, false])(
    'begins by itself below the minimum (AUTO_DRAW %s), and nothing is drawn',
    async (autoDraw) => {
      world = await openDrawWorld({ minTickets: 40, autoDraw })
      await world.sell()
      await world.endSale()
      await world.draw()
      expect((await world.event()).refundModeAt).toBeNull()
      await world.reachDraw()
      expect(await dueDraws(world.db)).toEqual([1])
      await world.draw()
      expect(await getEnding(world.db, 1)).toMatchObject({ kind: 'refunds', reason: 'minimum' })
      expect(await drawOf()).toBeUndefined()
      expect(await dueDraws(world.db)).toEqual([])
    },
  )

  test.each(['api', 'worker'] as const)(
    'I14: no word of the %s ends an event without a cause',
    async (login) => {
      const database = await testDb()
      world = await openDrawWorld({ database })
      await world.toDraw()
      const program = database.dbOf(login)
      const refunds = refundCauses.map((reason) => `(1, 'refunds', '${reason}')`)
      for (const row of [...refunds, `(1, 'drawn', null)`])
        await expect(
          program.execute(`insert into endings (event_number, kind, reason) values ${row}`),
        ).rejects.toThrow('insert into endings')
      await expect(program.execute('update events set archived_at = now()')).rejects.toThrow()
      await world.draw()
      expect(await drawOf()).toBeDefined()
      // Only the API opens the next event.
      const archived = program.execute('update events set archived_at = now()')
      await (login === 'api' ? archived : expect(archived).rejects.toThrow())
    },
  )

  test('a list that was folded anew is drawn from without the word of anybody who knows the result by then', async () => {
    world = await openDrawWorld()
    await world.sell()
    await world.mine(3)
    await world.scan()
    await foldAnew()
    const { ledgerSha256 } = await world.endSale()
    expect(await world.event()).toMatchObject({ ticketsSold: 39, haltedAt: null })
    await world.reachDraw()
    expect(await dueDraws(world.db)).toEqual([1])
    await world.draw()
    expect(await drawOf()).toMatchObject({ ledgerSha256 })
  })

  test('an anchor of another list never cancels the draw: whoever checks it finds both', async () => {
    world = await openDrawWorld()
    await world.sell()
    await world.endSale()
    await world.sendAnchor(`0x${'ab'.repeat(32)}`, { at: drawAt - 10 })
    await world.reachDraw()
    await world.draw()
    expect(await drawOf()).toBeDefined()
  })

  test('an unfrozen ledger is never drawn from', async () => {
    world = await openDrawWorld()
    await world.sell()
    await world.reachDraw()
    expect(await codeOf(world.draw())).toBe('NOT_FINAL')
    await closeSale(world.deps)
    expect(await codeOf(world.draw())).toBe('done')
    expect(await drawOf()).toBeDefined()
  })
})

/** The last payment is taken back, as after a replaced block, and read again. */
async function foldAnew(): Promise<void> {
  const from = await getScanCursor(world.db)
  const [, to] = await paymentBlocks(world.db, { above: 0n, below: (from?.height ?? 0n) + 1n }, 2)
  if (from) await rewind(world.db, from, to, 'a block was replaced')
}
