import { numberToHex } from 'viem'
import { getScanCursor } from '../../../db/event/sale.ts'
import * as chain from './chain-steps.ts'
import { brokenDraft, comeToDraw, draft, openNext } from './draft-steps.ts'
import { type Broken, brokenClosing, brokenInvariants, brokenMeanwhile, hasHole } from './invariants.ts'
import * as operator from './operator-steps.ts'
import type { Stage } from './stage.ts'
import { lieOf, type Step, type Story } from './story.ts'
import { complain, overlook, scanOnce, sweepOnce, verifyDue } from './work-steps.ts'
import { openWorld, type World } from './world.ts'

/** Plays a story, lets everybody tell the truth, and says what does not hold then. */
export async function play(stage: Stage, { endpoints, steps }: Story): Promise<Broken[]> {
  const world = await openWorld(stage, endpoints)
  try {
    await operator.noteEvent(world)
    for (const [index, step] of steps.entries()) {
      await world.pass(1)
      await (acts[step.do] as (world: World, step: Step) => unknown)(world, step)
      const broken = (await isSure(world, step)) ? await brokenMeanwhile(world) : []
      broken.push(...(await brokenClosing(world)), ...(await brokenDraft(world, step)))
      if (broken.length > 0)
        return broken.map(({ name, saw }) => ({ name, saw: `after step ${index}: ${saw}` }))
    }
    const late = await settle(world)
    return [...late, ...(await brokenClosing(world)), ...(await brokenInvariants(world))]
  } finally {
    await world.close()
  }
}

/** With two witnesses one liar moves no ticket, not for a moment; a replaced block or a hole may, until it is seen. */
async function isSure(world: World, step: Step): Promise<boolean> {
  if (step.do !== 'scan' || step.dieAt !== null || world.proxies.length === 1) return false
  const cursor = await getScanCursor(world.db)
  if (!cursor) return false
  if (await hasHole(world)) return false
  const height = numberToHex(cursor.height)
  const block = await world.ask<{ hash: string } | null>('eth_getBlockByNumber', height, false)
  return block?.hash === cursor.hash
}

const acts: { [N in Step['do']]: (world: World, step: Extract<Step, { do: N }>) => unknown } = {
  pay: chain.pay,
  'pay together': chain.payTogether,
  stranger: chain.bother,
  'pay out': chain.payOut,
  'move own money': chain.moveOwnMoney,
  replace: chain.replaceBlocks,
  refund: chain.refund,
  mine,
  wait: (world, { seconds }) => world.pass(seconds),
  'set the database clock': (world, { ahead }) => {
    world.clock.ahead = ahead
    return world.pass(0)
  },
  scan: (world, { dieAt }) => scanOnce(world, dieAt),
  verify: (world, { dieAt }) => verifyDue(world, dieAt),
  'two workers': (world) => Promise.all([scanOnce(world), scanOnce(world)]),
  overlook: (world, { which }) => overlook(world, which),
  sweep: sweepOnce,
  save: operator.save,
  draft,
  'open the next event': openNext,
  'come to the draw': comeToDraw,
  restart: operator.restart,
  resume: operator.resume,
  'stop the sale': operator.stop,
  lie,
  'tell the truth': tellTruth,
}

async function mine(world: World, { blocks, seconds }: Extract<Step, { do: 'mine' }>): Promise<void> {
  for (let block = 0; block < blocks; block++) {
    await world.pass(seconds)
    await world.mineBlock()
  }
}

function tellTruth({ proxies }: World): void {
  for (const proxy of proxies) proxy.set()
}

/** One liar at a time; where there is but one endpoint it tells what its other answers contradict. */
function lie(world: World, step: Extract<Step, { do: 'lie' }>): void {
  tellTruth(world)
  const { proxies } = world
  proxies[step.endpoint % proxies.length]?.set(lieOf(step, proxies.length))
}

/** So many rounds of the workers are enough once every endpoint tells the truth. */
const rounds = 6
/** An endpoint that had failed five times rests for two seconds, by the clock on the wall. */
const restMs = 250
const restsAtMost = 24
/** Longer than any claim waits for its next look. */
const roundSeconds = 61

/** Everybody tells the truth, blocks come, the workers run: then the scan is at the head and stays there. */
async function settle(world: World): Promise<Broken[]> {
  tellTruth(world)
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
  await operator.noteEvent(world)
  return (await reachedHead(world)) ? [] : [{ name: 'liveness', saw: 'the scan does not reach the head' }]
}

async function reachedHead(world: World): Promise<boolean> {
  const cursor = await getScanCursor(world.db)
  const head = await world.ask<{ number: string; hash: string }>('eth_getBlockByNumber', 'finalized', false)
  return cursor?.height === BigInt(head.number) && cursor.hash === head.hash
}
