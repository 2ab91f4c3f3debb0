import { claim } from './claim.ts'
import { drawFirst } from './draw.ts'
import { refundSecond } from './refunds.ts'
import { sell } from './sale.ts'
import type { World } from './world.ts'

/** The whole story; throws StoryProblem for what did not come of what was done. `drawn` is called with the first winner. */
export async function play(world: World, drawn: () => void): Promise<void> {
  const { chapter, pause } = world
  chapter('People buy')
  const safe = await sell(world)
  chapter('The sale ends, and somebody wins')
  const winner = await drawFirst(world)
  drawn()
  await pause(8)
  await claim(world, winner, safe)
  await pause(5)
  chapter('A second raffle sells too little')
  await refundSecond(world)
}
