import { afterEach, expect, test } from 'vitest'
import { beacons, draws, events } from '../../db/schema/index.ts'
import { type BeaconWorld, openBeaconWorld, roundAt } from '../../e2e/lab/beacon-story.ts'
import { Killed, killedAt } from '../../e2e/lab/killed.ts'

let world: BeaconWorld
afterEach(() => world?.close())

const fiveBlocks = Array.from({ length: 5 }, () => ({}))
const rows = async () => {
  const [event] = await world.db.select().from(events)
  const [brought, drawn] = [await world.db.select().from(beacons), await world.db.select().from(draws)]
  return { blocks: event?.drawBlocks ?? [], rounds: [event?.beaconRound ?? []].flat(), brought, drawn }
}

test('D2: a worker that dies at any await between blocks, beacon and draw loses nothing and draws once', async () => {
  world = await openBeaconWorld()
  let kills = 0
  /** Runs that die one await later each time, until one lives; what is stored only grows, and never changes. */
  async function runUntilAlive(): Promise<void> {
    for (let step = 0; ; step++) {
      const before = await rows()
      const isKilled = await world.draw(killedAt(world.worker(), step)).then(
        () => false,
        (error) => error instanceof Killed || Promise.reject(error),
      )
      const after = await rows()
      for (const [name, known] of Object.entries(before))
        expect(after[name as keyof typeof after]).toEqual(expect.arrayContaining(known as never[]))
      // The signature that a relay brought and the draw are one transaction.
      expect(after.brought?.length).toBe(after.drawn?.length)
      if (!isKilled) return
      kills += 1
    }
  }
  await world.toDraw()
  await runUntilAlive()
  expect(await rows()).toMatchObject({ blocks: fiveBlocks, rounds: [] })
  await world.mine(34)
  await world.scan()
  await runUntilAlive()
  expect(await rows()).toMatchObject({ rounds: [{}], brought: [] })
  await world.reach(roundAt + 5)
  await runUntilAlive()
  const drawn = await rows()
  expect(drawn).toMatchObject({ blocks: fiveBlocks, rounds: [{}], brought: [{}], drawn: [{}] })
  await world.draw()
  expect(await rows()).toEqual(drawn)
  expect(kills).toBeGreaterThan(20)
})
