import { afterEach, describe, expect, test } from 'vitest'
import { randomnessOf } from '../../core/draw/beacon.ts'
import { blockSeedOf, drawWinner, firstSeed } from '../../core/draw/draw.ts'
import { publicState } from '../../core/live/state.ts'
import { recordBeacon } from '../../db/draw/beacons.ts'
import { dueDraws } from '../../db/draw/facts.ts'
import { loadPublicFacts } from '../../db/report/public.ts'
import { beacons, draws, endings, events } from '../../db/schema/index.ts'
import { type BeaconWorld, openBeaconWorld, roundAt } from '../../e2e/lab/beacon-story.ts'
import { drawAt } from '../../e2e/lab/draw-story.ts'

const day = 86_400

let world: BeaconWorld
afterEach(() => world?.close())

const drawn = async () => (await world.db.select().from(draws))[0]
const known = () => world.db.select().from(beacons)
const outcome = async () => (await world.db.select().from(endings))[0]
async function told(second: number) {
  const { facts } = (await loadPublicFacts(world.db, world.network)) ?? expect.fail('no event')
  return publicState(facts, (world.start + second) * 1000, false)
}
/** A row that nobody has checked. */
const madeUp = { signature: `0x${'ab'.repeat(48)}`, source: 'visitor' } as const

/** Hands a signature in as the call does once it is checked. */
async function handIn(): Promise<void> {
  const round = (await world.round()) ?? expect.fail('no round')
  const { chainHash } = round
  await recordBeacon(world.db, {
    ...{ chainHash, round: round.round, signature: world.sign(round.round), source: 'visitor' },
  })
}

describe('I36: a draw that mixes a beacon in', () => {
  test('is made of the five blocks, the round of the rule and the list, and stays so', async () => {
    world = await openBeaconWorld()
    await world.toRound(roundAt + 5)
    await world.draw()
    const row = (await drawn()) ?? expect.fail('not drawn')
    const { ledgerSha256 } = await world.event()
    const round = (await world.round()) ?? expect.fail('no round')
    expect(world.roundTime(round.round) - drawAt - 60).toBeLessThan(world.network.period)
    const signature = world.sign(round.round)
    expect(row.beacon).toEqual({
      ...{ network: 'blockdraw-local', chainHash: world.network.chainHash, round: round.round },
      ...{ time: round.time, after: round.after },
      ...{ signature, randomness: randomnessOf(signature) },
    })
    expect(round.after.number).toBe(Number(row.blocks[4]?.number) + 32)
    const blockSeed = blockSeedOf(row.blocks.map(({ hash }) => hash))
    const seed = firstSeed(blockSeed, {
      randomness: randomnessOf(signature),
      ledgerSha256: ledgerSha256 as `0x${string}`,
    })
    expect(row).toMatchObject({ blockSeed, ...drawWinner(seed, 39) })
    expect(await known()).toMatchObject([
      { round: round.round, signature, source: new URL(world.relays[0]?.url ?? '').host },
    ])
    // What was noted or brought can never be changed.
    await expect(world.db.delete(beacons)).rejects.toThrow()
    await expect(world.db.update(beacons).set({ chainHash: '0x' })).rejects.toThrow()
    for (const noted of [{ drawBlocks: [] }, { drawBlocks: null }, { beaconRound: null }])
      await expect(world.db.update(events).set(noted)).rejects.toThrow()
  })

  test('shows blocks, round and wait as they come, and no version goes back', async () => {
    world = await openBeaconWorld()
    await world.sell()
    await world.endSale()
    const before = await told(drawAt - 1)
    expect(before.config.beaconRound).toBeGreaterThan(1)
    expect(before.drawStatus).toMatchObject({ beacon: 'sealed', blockSeed: null, canDraw: false })
    await world.reachDraw()
    await world.draw()
    const [noted] = await world.db.select({ blocks: events.drawBlocks }).from(events)
    const blockSeed = blockSeedOf((noted?.blocks ?? expect.fail('no blocks')).map(({ hash }) => hash))
    const withBlocks = await told(drawAt + 3)
    expect(withBlocks.drawStatus).toMatchObject({ beacon: 'sealed', blockSeed })
    expect(await world.round()).toBeUndefined()
    await world.mine(34)
    await world.scan()
    await world.draw()
    const { round, time } = (await world.round()) ?? expect.fail('no round')
    const sealed = await told(roundAt - 1)
    expect(sealed.config.beaconRound).toBe(round)
    expect(sealed.drawStatus).toMatchObject({
      beacon: 'sealed',
      beaconDueAt: new Date(time * 1000).toISOString(),
    })
    const awaited = await told(roundAt + 5)
    expect(awaited.drawStatus).toMatchObject({ beacon: 'awaited', canDraw: false, isDrawing: false })
    await handIn()
    const found = await told(roundAt + 5)
    expect(found.drawStatus).toMatchObject({ beacon: 'found', canDraw: true })
    const versions = [before, withBlocks, sealed, awaited, found].map(({ version }) => version)
    expect(versions).toEqual([...new Set(versions)].sort((a, b) => a - b))
  })

  test('asks no relay before a final block has reached the time of the round', async () => {
    world = await openBeaconWorld()
    await world.toRound(roundAt - 5)
    await world.draw()
    const { round } = (await world.round()) ?? expect.fail('no round')
    // The block at the very time is there, and not final yet.
    await world.mineAt(world.roundTime(round))
    await world.draw()
    expect([world.relays[0]?.asked(), await drawn()]).toEqual([0, undefined])
    await world.mine(2)
    await world.draw()
    expect(await drawn()).toBeDefined()
  })

  test('takes a later round where D+32 came late', async () => {
    world = await openBeaconWorld()
    await world.toDraw()
    await world.mine(20)
    await world.mineAt(roundAt + 40)
    await world.mine(14)
    await world.scan()
    await world.draw()
    const { round, after } = (await world.round()) ?? expect.fail('no round')
    expect(world.roundTime(round)).toBeGreaterThan(after.timestamp - world.start)
    expect(world.roundTime(round)).toBeGreaterThan(roundAt + 40)
  })

  test('is drawn once by two workers that race, and is due until then', async () => {
    world = await openBeaconWorld()
    await world.toRound(roundAt - 5)
    expect(await dueDraws(world.db, world.network)).toEqual([1])
    await Promise.allSettled(Array.from({ length: 4 }, () => world.draw()))
    await world.reach(roundAt + 5)
    const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => world.draw()))
    expect(outcomes.map(({ status }) => status)).toEqual(Array(6).fill('fulfilled'))
    expect([(await world.db.select().from(draws)).length, (await known()).length]).toEqual([1, 1])
    expect(await dueDraws(world.db, world.network)).toEqual([])
  })

  test('is drawn from what a visitor handed in while no relay answers', async () => {
    world = await openBeaconWorld({ relays: [{ kind: 'missing' }] })
    await world.toRound(roundAt + 5)
    await world.draw()
    expect(await drawn()).toBeUndefined()
    await handIn()
    await world.draw({ beacon: { network: world.network, fetchRound: () => expect.fail('asked') } })
    expect(await drawn()).toMatchObject({ beacon: { signature: (await known())[0]?.signature } })
  })

  test('waits for the administrator where AUTO_DRAW is off, with its beacon shown', async () => {
    world = await openBeaconWorld({ autoDraw: false })
    await world.toRound(roundAt + 5)
    expect(await dueDraws(world.db, world.network)).toEqual([1])
    await world.draw()
    expect([(await known()).length, await drawn(), await dueDraws(world.db, world.network)]).toEqual([
      1,
      undefined,
      [],
    ])
  })

  test('takes a signature that the key of the network confirms, whoever wrote others into the table', async () => {
    world = await openBeaconWorld()
    await world.toRound(roundAt - 5)
    await world.draw()
    const { chainHash, round } = (await world.round()) ?? expect.fail('no round')
    const [right, ofNext] = [world.sign(round), world.sign(round + 1)]
    const upper = `0x${right.slice(2).toUpperCase()}` as const
    for (const signature of [`0x${'0'.repeat(96)}`, ofNext, upper, '0x'] as const)
      await world.db.insert(beacons).values({ chainHash, round, signature, source: 'visitor' })
    await world.draw()
    expect(await drawn()).toBeUndefined()
    expect((await told(roundAt - 1)).drawStatus).toMatchObject({ beacon: 'sealed' })
    await world.reach(roundAt + 5)
    await world.draw()
    expect(await drawn()).toMatchObject({ beacon: { signature: right } })
  })

  test('stops where the chain no longer has the five blocks that everybody was shown', async () => {
    world = await openBeaconWorld()
    await world.toDraw()
    await world.draw()
    await world.mine(34)
    const { chain } = world.deps
    const agreedHeaders: typeof chain.agreedHeaders = async (numbers) =>
      (await chain.agreedHeaders(numbers)).map((header) => ({ ...header, hash: `0x${'ab'.repeat(32)}` }))
    await expect(world.draw({ chain: { ...chain, agreedHeaders } })).rejects.toMatchObject({
      code: 'RPC_DISAGREE',
    })
    expect(await world.round()).toBeUndefined()
  })
})

describe('a round that does not come', () => {
  test('is waited for until a later one shows, seven days after its time, that it is lost; then the money goes back', async () => {
    world = await openBeaconWorld({ relays: [{ kind: 'missing' }] })
    await world.toRound(roundAt + 5)
    await world.draw()
    const { round, chainHash } = (await world.round()) ?? expect.fail('no round')
    const later = round + (7 * day) / world.network.period
    const bring = (number: number) =>
      recordBeacon(world.db, { chainHash, round: number, signature: world.sign(number), source: 'test' })
    await bring(later)
    await world.db.insert(beacons).values({ ...madeUp, chainHash, round })
    await world.reach(world.roundTime(round) + 7 * day - 10)
    await world.draw()
    expect(await outcome()).toBeUndefined()
    await world.reach(world.roundTime(round) + 7 * day)
    expect(await dueDraws(world.db, world.network)).toEqual([1])
    await world.draw()
    expect(await outcome()).toMatchObject({ kind: 'refunds', reason: 'beacon_lost' })
    await handIn()
    await world.draw()
    expect([await drawn(), (await world.db.select().from(endings)).length]).toEqual([undefined, 1])
  })

  test('is used however late, before a later one is known; and a later one is looked for where it does not come', async () => {
    world = await openBeaconWorld({ relays: [{ kind: 'missing' }] })
    await world.toRound(roundAt + 5)
    await world.draw()
    const { round, chainHash } = (await world.round()) ?? expect.fail('no round')
    await world.db.insert(beacons).values({ ...madeUp, chainHash, round: round + 1 })
    await world.reach(world.roundTime(round) + 30 * day)
    await world.draw()
    expect(await outcome()).toBeUndefined()
    const asked: number[] = []
    const fetchRound = async (number: number) => void asked.push(number)
    await world.draw({ beacon: { network: world.network, fetchRound: fetchRound as never } })
    expect(asked).toEqual([round, round + (7 * day) / world.network.period])
    await handIn()
    await world.draw()
    expect(await outcome()).toMatchObject({ kind: 'drawn' })
  })

  test.each([
    ['D', async () => BigInt((await world.round())?.after.number ?? 0) - 32n],
    ['D+32', async () => BigInt((await world.round())?.after.number ?? 0)],
  ])('is not taken where block %s was replaced below finality since it was noted', async (_, height) => {
    world = await openBeaconWorld({ relays: [{ kind: 'missing' }], history: false })
    await world.toRound(roundAt + 5)
    await world.draw()
    const replaced = await height()
    const { chain } = world.deps
    const header: typeof chain.header = async (number) => {
      const block = await chain.header(number)
      return block && number === replaced ? { ...block, hash: `0x${'ab'.repeat(32)}` } : block
    }
    await handIn()
    await expect(world.draw({ chain: { ...chain, header } })).rejects.toMatchObject({
      code: 'RPC_DISAGREE',
      data: { replaced: `${replaced}` },
    })
    expect(await drawn()).toBeUndefined()
    // Nodes that have forgotten these old blocks say nothing against them.
    await world.mine(1_100)
    await world.draw({ chain: { ...chain, header: async () => undefined } })
    expect(await drawn()).toBeDefined()
  })

  test('never hides too few tickets', async () => {
    world = await openBeaconWorld({ minTickets: 40 })
    await world.toDraw()
    await world.draw()
    expect(await outcome()).toMatchObject({ kind: 'refunds', reason: 'minimum' })
  })
})
