import { afterEach, expect, test } from 'vitest'
import { wantDraw } from '../../db/draw/draws.ts'
import type { Db } from '../../db/index.ts'
import { draws, endings } from '../../db/schema/index.ts'
import { type DrawWorld, openDrawWorld } from '../../e2e/lab/draw-story.ts'
import { Killed, killedAt } from '../../e2e/lab/killed.ts'

let world: DrawWorld
afterEach(() => world?.close())

test('D2: a worker that dies at any await leaves the whole draw or none', async () => {
  world = await openDrawWorld({ autoDraw: false })
  await world.toDraw()
  // The blocks are noted in a transaction of their own.
  await world.draw()
  await wantDraw(world.db, 1)
  let kills = 0
  const run = async (deps: Parameters<DrawWorld['draw']>[0]): Promise<boolean> => {
    const isKilled = await world.draw(deps).then(
      () => false,
      (error) => error instanceof Killed || Promise.reject(error),
    )
    if (isKilled) kills += 1
    const drawn = (await world.db.select().from(draws)).length === 1
    expect(await world.db.select().from(endings)).toHaveLength(drawn ? 1 : 0)
    return drawn
  }
  // First inside the transaction, statement by statement: all of it must be rolled back.
  for (let step = 0; step < statements; step++) expect(await run(inside(step))).toBe(false)
  // Then around it, up to the reply that is lost after the commit.
  for (let step = 0; !(await run(between(step))); step++);
  expect(kills).toBeGreaterThan(15)
  const [first] = await world.db.select().from(draws)
  await world.draw().catch(() => undefined)
  expect(await world.db.select().from(draws)).toEqual([first])
})

/** Number of statements in the draw's transaction; the last one bumps the version. */
const statements = 16

const between = (step: number) => killedAt(world.deps, step)
/** Dies between the statements of a transaction. */
function inside(step: number) {
  let left = step
  const die = (tx: Db): Db =>
    new Proxy(tx, {
      get(object, name) {
        const value = Reflect.get(object, name)
        if (typeof value !== 'function') return value
        return (...args: unknown[]) => {
          if (left-- === 0) throw new Killed()
          return Reflect.apply(value, object, args)
        }
      },
    })
  const transaction: Db['transaction'] = (work, config) =>
    world.db.transaction((tx) => work(die(tx) as never), config)
  return {
    db: new Proxy(world.db, {
      get: (object, name) => (name === 'transaction' ? transaction : Reflect.get(object, name)),
    }),
  }
}
