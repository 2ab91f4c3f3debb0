import { getScanCursor } from '../../../db/event/sale.ts'
import type { Broken } from './invariants.ts'
import { noteEvent } from './operator-steps.ts'
import { complain, scanOnce, sweepOnce } from './work-steps.ts'
import type { World } from './world.ts'

/** So many rounds of the workers are enough once every endpoint tells the truth. */
const rounds = 6
/** An endpoint that had failed five times rests for two seconds, by the clock on the wall. */
const restMs = 250
const restsAtMost = 24
/** Longer than any claim waits for its next look. */
const roundSeconds = 61

/** Everybody tells the truth, blocks come, the workers run: then the scan is at the head and stays there. */
export async function settle(world: World): Promise<Broken[]> {
  for (const proxy of world.proxies) proxy.set()
  world.clock.ahead = 0
  await world.pass(roundSeconds)
  let rests = 0
  for (let round = 0; round < rounds; round++) {
    await world.pass(roundSeconds)
    for (let block = 0; block < 3; block++) await world.mineBlock()
    while (!(await reachedHead(world)) && rests++ < restsAtMost) {
      world.refusal = undefined
      await scanOnce(world)
      // Gone history is looked for again after half a minute; a worker that has just started looks at once.
      if (world.refusal === 'HISTORY_MISSING') world.deps = world.connect()
      else if (!(await reachedHead(world))) await Bun.sleep(restMs)
    }
    await complain(world)
    await sweepOnce(world, { runs: [], dieAt: null })
    await scanOnce(world)
  }
  await noteEvent(world)
  const isThere = await reachedHead(world)
  return isThere ? [] : [{ name: 'liveness', saw: 'the scan does not reach the head' }]
}

async function reachedHead(world: World): Promise<boolean> {
  const cursor = await getScanCursor(world.db)
  const head = await world.ask<{ number: string; hash: string }>('eth_getBlockByNumber', 'finalized', false)
  return cursor?.height === BigInt(head.number) && cursor.hash === head.hash
}
