import { afterEach, describe, expect, test } from 'vitest'
import { blockSeedOf } from '../../core/draw/draw.ts'
import { RaffleError } from '../../core/errors.ts'
import type { JobQueue } from '../../core/server/queue.ts'
import { unwantDraw, wantDraw } from '../../db/draw/draws.ts'
import { loadPublicFacts } from '../../db/report/public.ts'
import { draws, events } from '../../db/schema/index.ts'
import { type DrawWorld, drawAt, openDrawWorld } from '../../e2e/lab/draw-story.ts'
import { forTest } from '../../e2e/lab/opened.ts'
import { startRpcProxy } from '../../e2e/lab/rpc-proxy.ts'
import { patient } from '../../e2e/lab/test-time.ts'
import { rpc } from '../../infra/local/rpc.ts'
import { connectChain } from '../chain/index.ts'
import { sweep } from '../sweep.ts'
import { readDrawBlocks } from './draw.ts'

const day = 86_400

let world: DrawWorld
afterEach(() => world?.close())

const drawn = async () => (await world.db.select().from(draws))[0]
const noted = async () =>
  (await world.db.select({ blocks: events.drawBlocks }).from(events)).flatMap(({ blocks }) => blocks ?? [])
const call = () => wantDraw(world.db, 1)

/** An event whose draw an administrator starts, on its draw date. */
async function due(): Promise<void> {
  world = await openDrawWorld({ autoDraw: false, history: false })
  await world.toDraw()
}

/** Ids of the draw jobs that a sweep adds. */
async function queued(): Promise<string[]> {
  const ids: string[] = []
  const enqueue: JobQueue['enqueue'] = async (name, _, options) => {
    if (name === 'draw') ids.push(`${options?.jobId}`)
    return true
  }
  await sweep({ db: world.deps.db, jobs: { enqueue } })
  return ids
}

/** So many seconds after the draw date no endpoint has its blocks any more. */
async function forgotten(second: number) {
  await world.mineAt(drawAt + second)
  await world.mine(1_100)
  await world.scan()
  const node = await forTest(startRpcProxy(world.url))
  node.set('pruned-null')
  return { node, chain: connectChain([node.url], 56, patient) }
}

describe('a draw that an administrator starts', () => {
  test('six days late is made of the blocks that were noted on its date, though no node has them any more', async () => {
    await due()
    const [event, head] = [await world.event(), await world.deps.chain.finalized()]
    const blocks = await readDrawBlocks(world.deps.chain, world.start + drawAt, head, 0n)
    expect(await queued()).toHaveLength(1)
    await world.draw()
    expect([await drawn(), await queued()]).toEqual([undefined, []])
    const { node, chain } = await forgotten(6 * day)
    await call()
    await world.draw({ chain })
    // The final block, and whether the five are still the same: no search.
    expect(node.asked('eth_getBlockByNumber')).toBeLessThan(10)
    expect(await drawn()).toMatchObject({
      blocks: blocks.map((block) => ({ ...block, number: `${block.number}` })),
      ledgerSha256: event.ledgerSha256,
    })
  })

  test('keeps what it found after its caller has gone: the next one is not to wait for the search', async () => {
    await due()
    await call()
    const { chain } = world.deps
    const slow: typeof chain.agreedHeaders = async (numbers) => {
      await unwantDraw(world.db, 1)
      return chain.agreedHeaders(numbers)
    }
    await world.draw({ chain: { ...chain, agreedHeaders: slow } })
    expect(await drawn()).toBeUndefined()
    await call()
    await world.draw({ chain: { ...chain, agreedHeaders: () => expect.fail('searched again') } })
    expect(await drawn()).toBeDefined()
  })

  test('shows nobody the blocks before: they are the seed, and tell the winner', async () => {
    await due()
    await world.draw()
    const blocks = await noted()
    expect(blocks).toHaveLength(5)
    expect((await loadPublicFacts(world.db))?.facts).toMatchObject({ drawBlocks: null, blockSeed: null })
    await call()
    await world.draw()
    const told = await loadPublicFacts(world.db)
    expect(told?.facts).toMatchObject({ blockSeed: blockSeedOf(blocks.map(({ hash }) => hash)) })
  })

  test.each([1, 4])(
    'is not made of them where %i were replaced below finality: those that stand are drawn from',
    async (depth) => {
      world = await openDrawWorld({ autoDraw: false, history: false })
      await world.sell()
      await world.endSale()
      const drawBlock = await world.reachDraw()
      await world.draw()
      const blocks = await noted()
      await rpc(world.url, 'anvil_reorg', [Number((await world.height()) - drawBlock) + depth, []])
      await world.mineAt(drawAt + 20)
      await world.mine(8)
      // The first run finds that the chain changed below the cursor, the second one continues from there.
      await world.scan()
      await world.scan()
      await call()
      await world.draw()
      const row = await drawn()
      const stands = await readDrawBlocks(
        world.deps.chain,
        world.start + drawAt,
        await world.deps.chain.finalized(),
        0n,
      )
      expect(row?.blocks).toEqual(stands.map((block) => ({ ...block, number: `${block.number}` })))
      expect(row?.blocks).not.toEqual(blocks)
    },
  )

  test.each([
    ['RPC_UNAVAILABLE', new RaffleError('RPC_UNAVAILABLE', { reason: 'chain' })],
    ['RPC_DISAGREE', new RaffleError('RPC_DISAGREE')],
    // A node does not tell yet.
    ['RPC_UNAVAILABLE', undefined],
  ])('waits while nobody can tell whether they were replaced (%s)', async (code, error) => {
    await due()
    await world.draw()
    const { chain } = world.deps
    const untold = async () => {
      if (error) throw error
      return undefined
    }
    await call()
    await expect(world.draw({ chain: { ...chain, header: untold } })).rejects.toMatchObject({ code })
    expect(await drawn()).toBeUndefined()
    await call()
    await world.draw()
    expect(await drawn()).toBeDefined()
  })

  test('is made of them where one node no longer has them, and another does not answer at all', async () => {
    await due()
    await world.draw()
    const { node } = await forgotten(6 * day)
    const dead = await forTest(startRpcProxy(world.url))
    dead.set('down')
    await call()
    await world.draw({ chain: connectChain([world.url, node.url, dead.url], 56, patient) })
    expect(await drawn()).toBeDefined()
  })

  test('notes no block that may still be replaced', async () => {
    world = await openDrawWorld({ autoDraw: false, history: false })
    await world.sell()
    await world.endSale()
    await world.reachDraw(1)
    expect(await queued()).toHaveLength(1)
    await expect(world.draw()).rejects.toMatchObject({ code: 'NOT_FINAL' })
    expect(await noted()).toEqual([])
  })
})

test('blocks that cannot be read are looked for until the event ends', async () => {
  await due()
  expect(await queued()).toHaveLength(1)
  const { chain } = await forgotten(6 * day)
  await expect(world.draw({ chain })).rejects.toMatchObject({ code: 'HISTORY_MISSING' })
  expect(await queued()).toHaveLength(1)
})

test('blocks of an event below its minimum are not noted', async () => {
  world = await openDrawWorld({ autoDraw: false, minTickets: 40 })
  await world.toDraw()
  await world.draw()
  expect([await queued(), await noted()]).toEqual([[], []])
})
