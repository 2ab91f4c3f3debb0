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
      await act(world, step)
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

/**
 * With two witnesses one liar never moves a ticket, not even for a moment. A replaced block may, until the scan
 * has seen it, a form that changes the wallet until the sale was read again, and what no endpoint told until somebody does.
 */
async function isSure(world: World, step: Step): Promise<boolean> {
  if (step.do !== 'scan' || step.dieAt !== null || world.proxies.length === 1) return false
  const cursor = await getScanCursor(world.db)
  if (!cursor) return false
  if (await hasHole(world)) return false
  const height = numberToHex(cursor.height)
  const block = await world.ask<{ hash: string } | null>('eth_getBlockByNumber', height, false)
  return block?.hash === cursor.hash
}

async function act(world: World, step: Step): Promise<void> {
  await world.pass(1)
  switch (step.do) {
    case 'pay':
      return chain.pay(world, step)
    case 'pay together':
      return chain.payTogether(world, step)
    case 'stranger':
      return chain.bother(world, step)
    case 'pay out':
      return chain.payOut(world, step)
    case 'move own money':
      return chain.moveOwnMoney(world, step)
    case 'replace':
      return chain.replaceBlocks(world, step)
    case 'mine':
      return mine(world, step)
    case 'wait':
      return world.pass(step.seconds)
    case 'set the database clock':
      world.clock.ahead = step.ahead
      return world.pass(0)
    case 'scan':
      return scanOnce(world, step.dieAt)
    case 'verify':
      return verifyDue(world, step.dieAt)
    case 'two workers':
      await Promise.all([scanOnce(world), scanOnce(world)])
      return
    case 'overlook':
      return overlook(world, step.which)
    case 'sweep':
      return sweepOnce(world, step)
    case 'save':
      return operator.save(world, step)
    case 'draft':
      return draft(world, step)
    case 'open the next event':
      return openNext(world, step)
    case 'come to the draw':
      return comeToDraw(world, step)
    case 'restart':
      return operator.restart(world, step)
    case 'resume':
      await operator.resume(world)
      return
    case 'stop the sale':
      return operator.stop(world, step)
    case 'refund':
      return chain.refund(world, step)
    case 'lie':
      return lie(world, step)
    case 'tell the truth':
      for (const proxy of world.proxies) proxy.set()
  }
}

async function mine(world: World, { blocks, seconds }: Extract<Step, { do: 'mine' }>): Promise<void> {
  for (let block = 0; block < blocks; block++) {
    await world.pass(seconds)
    await world.mineBlock()
  }
}

/** One liar at a time; where there is but one endpoint it tells what its other answers contradict. */
function lie({ proxies }: World, step: Extract<Step, { do: 'lie' }>): void {
  for (const proxy of proxies) proxy.set()
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
  await operator.noteEvent(world)
  return (await reachedHead(world)) ? [] : [{ name: 'liveness', saw: 'the scan does not reach the head' }]
}

async function reachedHead(world: World): Promise<boolean> {
  const cursor = await getScanCursor(world.db)
  const head = await world.ask<{ number: string; hash: string }>('eth_getBlockByNumber', 'finalized', false)
  return cursor?.height === BigInt(head.number) && cursor.hash === head.hash
}
