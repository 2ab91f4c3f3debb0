import { numberToHex } from 'viem'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { blockSeedOf, drawWinner } from '../../core/draw/draw.ts'
import { RaffleError } from '../../core/errors.ts'
import { publicState } from '../../core/live/state.ts'
import { dueWouldHaveWon, loadWouldHaveWon } from '../../db/draw/would-have-won.ts'
import { loadPublicFacts } from '../../db/event/public.ts'
import { getScanCursor, type ScanCursor } from '../../db/event/scan-cursor.ts'
import { takeBack } from '../../db/payment/refold.ts'
import { draws, events, outcomes, wouldHaveWon } from '../../db/schema/index.ts'
import { type DrawWorld, drawAt, openDrawWorld } from '../../e2e/lab/draw-story.ts'
import { hookRpc } from '../../e2e/lab/hook-rpc.ts'
import { Killed, killedAt } from '../../e2e/lab/killed.ts'
import { connectChain } from '../chain/index.ts'
import { closeSale } from '../payment/close-sale.ts'
import { noteWouldHaveWon } from './would-have-won.ts'

const deadline = drawAt + 7 * 86_400

let world: DrawWorld
afterEach(() => world?.close())

type Options = Parameters<typeof openDrawWorld>[0] & { frozenAt?: number }

/** Sold and frozen; the story lies in the database's past, so the second of the freeze is set as it would have been. */
async function frozen({ frozenAt = drawAt - 20, ...options }: Options = {}): Promise<void> {
  world = await openDrawWorld(options)
  await world.sell()
  await world.endSale()
  await world.db.update(events).set({ frozenAt: new Date((world.start + frozenAt) * 1000) })
}
async function overdue(options: Options = {}): Promise<bigint> {
  await frozen({ autoDraw: false, ...options })
  const drawBlock = await world.reachDraw()
  await world.mineAt(deadline)
  await world.mine(3)
  await world.scan()
  await world.draw()
  return drawBlock
}
const note = (change: Partial<DrawWorld['deps']> = {}) =>
  noteWouldHaveWon({ ...world.deps, ...change }, { eventNumber: 1 })
const noted = () => world.db.select().from(wouldHaveWon)
async function told() {
  const { facts, now } = (await loadPublicFacts(world.db)) ?? expect.fail('no event')
  return publicState(facts, now, false)
}

describe('D9: an event that is refunded', () => {
  test.each([
    ['because nobody drew it', () => overdue(), 'overdue'],
    ['because it sold too few tickets', () => belowMinimum(), 'minimum'],
  ])('%s tells whom the five blocks name by the rule of the draw', async (_, story, reason) => {
    const drawBlock = await story()
    expect(await world.db.select({ reason: outcomes.reason }).from(outcomes)).toEqual([{ reason }])
    expect((await told()).drawStatus.wouldHaveWon).toBeNull()
    const { version } = await told()
    await note()
    const { drawStatus, winner, history, ...rest } = await told()
    const numbers = [-4n, -3n, -2n, -1n, 0n].map((i) => drawBlock + i)
    const blocks = await world.deps.chain.headers(numbers)
    const byRule = drawWinner(blockSeedOf(blocks.map(({ hash }) => hash)), 39)
    const owner = byRule.winningTicket <= 33 ? 1 : byRule.winningTicket === 34 ? 2 : 3
    expect(drawStatus.wouldHaveWon).toEqual({
      ticketNumber: byRule.winningTicket,
      ticketsSold: 39,
      walletAddress: expect.stringMatching(new RegExp(world.accounts[owner] ?? 'nobody', 'i')),
      transactionHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      ledgerSha256: (await world.event()).ledgerSha256,
      blocks: blocks.map(({ number, hash, timestamp }) => ({ number: Number(number), hash, timestamp })),
      beacon: null,
      seed: byRule.seed,
      counter: byRule.counter,
      randomNumber: `${byRule.randomNumber}`,
    })
    expect([winner, history, drawStatus.isDrawing, drawStatus.canDraw]).toEqual([null, [], false, false])
    expect(rest.version).toBeGreaterThan(version)
    expect(await world.db.select().from(draws)).toEqual([])
  })

  test('tells the same once, however often and by however many workers it is noted', async () => {
    await overdue()
    await Promise.all(Array.from({ length: 6 }, () => note()))
    const [first] = await noted()
    await note()
    expect([await noted(), await dueWouldHaveWon(world.db)]).toEqual([[first], []])
    await expect(world.db.update(wouldHaveWon).set({ winningTicket: 1 })).rejects.toThrow()
    await expect(world.db.delete(wouldHaveWon)).rejects.toThrow()
  })

  test('tells it in the history once it is archived, also where it was archived first', async () => {
    await overdue()
    await world.db.update(events).set({ archivedAt: new Date() })
    await world.db.insert(events).values({ ...(await past()), number: 2 })
    expect((await told()).history).toMatchObject([{ eventNumber: 1, winnerWallet: null, wouldHaveWon: null }])
    await note()
    const [row] = await noted()
    const state = await told()
    expect(state.drawStatus.wouldHaveWon).toBeNull()
    expect(state.history).toMatchObject([
      { winnerWallet: null, randomNumber: null, wouldHaveWon: { ticketNumber: row?.winningTicket } },
    ])
  })
})

/** An event on sale like the first one was. */
async function past() {
  const [{ chainId, token, ticketPrice, saleLeadSeconds, minTickets, saleStart }] = (await world.db
    .select()
    .from(events)) as [typeof events.$inferSelect]
  return { chainId, token, ticketPrice, saleLeadSeconds, minTickets, saleStart }
}

async function belowMinimum(): Promise<bigint> {
  await frozen({ minTickets: 40 })
  const drawBlock = await world.reachDraw()
  await world.draw()
  return drawBlock
}

describe('nothing is told', () => {
  test('of a list that was frozen after the draw date', async () => {
    await overdue({ frozenAt: drawAt })
    await note()
    expect([await dueWouldHaveWon(world.db), await noted()]).toEqual([[], []])
  })

  test('of a list that turned out wrong, whether it was noted before or not', async () => {
    await frozen({ autoDraw: false })
    await world.reachDraw()
    await note()
    expect(await noted()).toHaveLength(1)
    const cursor = (await getScanCursor(world.db)) as ScanCursor
    await takeBack(world.db, cursor, undefined, { text: 'a payment had been missed', isHole: true })
    expect((await told()).drawStatus).toMatchObject({ refundReason: 'ledger', wouldHaveWon: null })
    // The list is made anew, and is even the same.
    await world.scan()
    await closeSale(world.deps)
    expect((await world.event()).ledgerSha256).toBe((await noted())[0]?.ledgerSha256)
    expect((await told()).drawStatus.wouldHaveWon).toBeNull()
  })

  test('during the sale, before the draw block is final, and before the scan has read it', async () => {
    world = await openDrawWorld()
    await world.sell()
    await note()
    expect([await dueWouldHaveWon(world.db), await noted()]).toEqual([[], []])
    await world.close()
    await frozen({ minTickets: 40, autoDraw: false })
    await world.reachDraw(0)
    await world.db.insert(outcomes).values({ eventNumber: 1, kind: 'refund', reason: 'minimum' })
    await note()
    await world.mine(1)
    await note()
    await world.mine(2)
    await expect(note()).rejects.toThrow('still being read')
    expect(await noted()).toEqual([])
    await world.scan()
    await note()
    expect(await noted()).toHaveLength(1)
  })

  test('of an event that may still be drawn: its blocks are noted, and the draw makes the same of them', async () => {
    await frozen()
    await world.reachDraw()
    await note()
    const [row] = await noted()
    expect(row).toBeDefined()
    expect(JSON.stringify(await told())).not.toContain(row?.seed)
    await world.draw()
    const [drawn] = await world.db.select().from(draws)
    expect(drawn).toMatchObject({ blocks: row?.blocks, seed: row?.seed, winningTicket: row?.winningTicket })
    expect(await loadWouldHaveWon(world.db)).toEqual(new Map())
  })

  test('of a list that somebody changed in the database', async () => {
    await overdue()
    await world.db.execute("update payments set payer = '0x00000000000000000000000000000000000000ee'")
    await expect(note()).rejects.toThrow('다릅니다')
    expect(await noted()).toEqual([])
  })

  test('while two endpoints differ about one of the five blocks', async () => {
    const drawBlock = await overdue()
    const liar = hookRpc(world.url)
    onTestFinished(liar.stop)
    liar.hook = (_, result) => {
      const block = result as { number?: string } | null
      return block?.number === numberToHex(drawBlock - 2n)
        ? { ...block, hash: `0x${'ab'.repeat(32)}` }
        : result
    }
    const chain = connectChain([world.url, liar.url], 56)
    await expect(note({ chain })).rejects.toThrow(RaffleError)
    expect(await noted()).toEqual([])
    liar.hook = (_, result) => result
    await note({ chain: connectChain([world.url, liar.url], 56) })
    expect(await noted()).toHaveLength(1)
  })
})

test('a worker that dies at any await leaves the whole note or none', async () => {
  await overdue()
  let kills = 0
  for (let step = 0; ; step++) {
    const isKilled = await noteWouldHaveWon(killedAt(world.deps, step), { eventNumber: 1 }).then(
      () => false,
      (error) => error instanceof Killed || Promise.reject(error),
    )
    if (!isKilled) break
    kills += 1
    expect((await dueWouldHaveWon(world.db)).length + (await noted()).length).toBe(1)
  }
  expect(kills).toBeGreaterThan(4)
  expect(await noted()).toHaveLength(1)
})
