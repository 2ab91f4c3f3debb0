import { randomnessOf } from '../../../../core/draw/beacon.ts'
import { drawWinner, firstSeed } from '../../../../core/draw/draw.ts'
import { RaffleError } from '../../../../core/errors.ts'
import { recordBeacon } from '../../../../db/draw/beacons.ts'
import { beacons, draws, endings } from '../../../../db/schema/index.ts'
import { type BeaconWorld, openBeaconWorld, roundAt } from '../../../lab/beacon-story.ts'
import { buildApi, siteProxyToken } from '../../../lab/build-api.ts'
import { Killed, killedAt } from '../../../lab/killed.ts'
import { setDatabaseClock } from '../database.ts'
import type { Broken } from '../invariants.ts'
import type { Stage } from '../stage.ts'
import type { RelayStory, Step } from './story.ts'

const week = 7 * 86_400
const origin = 'http://localhost'
/** Ends what hangs, and on a busy machine an honest answer too. */
const impatientMs = 100

type Played = BeaconWorld & {
  handIn: (round: number, signature: string) => Promise<number>
  /** A right signature was taken by the call. */
  isHandedIn: boolean
}

/** Plays a story. The draw happens if and only if one honest relay or one visitor delivers, and never too early. */
export async function playRelays(stage: Stage, { relays, steps }: RelayStory): Promise<Broken[]> {
  await stage.reset()
  await setDatabaseClock(stage.db, Math.floor(Date.now() / 1000))
  const world = await openBeaconWorld({
    relays: relays.map(({ fault }) => fault),
    database: { db: stage.db, close: async () => undefined },
  })
  const { app, state } = buildApi({ db: stage.db, url: stage.databaseUrl }, { beacon: world.network })
  let visitors = 0
  const played: Played = {
    ...world,
    isHandedIn: false,
    handIn: async (eventNumber, signature) => {
      visitors += 1
      const from = `10.3.${visitors >> 8}.${visitors & 255}`
      const headers = {
        'x-site-proxy': siteProxyToken,
        'x-forwarded-for': from,
        'content-type': 'application/json',
      }
      const body = JSON.stringify({ eventNumber, signature })
      const call = new Request(`${origin}/api/raffle/beacon`, { method: 'POST', headers, body })
      return (await app.handle(call)).status
    },
  }
  try {
    for (const [index, step] of steps.entries()) {
      const broken = [...(await act(played, relays, step)), ...(await tooEarly(played))]
      if (broken.length > 0)
        return broken.map(({ name, saw }) => ({ name, saw: `after step ${index}: ${saw}` }))
    }
    return await settle(played)
  } finally {
    app.leave()
    state.stop()
    await world.close()
  }
}

async function act(world: Played, relays: RelayStory['relays'], step: Step): Promise<Broken[]> {
  switch (step.kind) {
    case 'time':
      await come(world, step.place)
      return []
    case 'work':
      await Promise.all(Array.from({ length: step.workers }, () => work(world)))
      return []
    case 'kill':
      await world.draw(killedAt(world.worker({}, impatientMs), step.at)).catch(unlessExpected)
      return []
    case 'heal':
      for (const [index, relay] of world.relays.entries()) if (relays[index]?.healed) relay.fault = undefined
      return []
    case 'visitor':
      return visit(world, step.signature)
  }
}

async function come(world: Played, place: Extract<Step, { kind: 'time' }>['place']): Promise<void> {
  if (place === 'before-depth') await world.toDraw()
  else if (place === 'before-round') {
    await world.mine(32)
    await world.reach(roundAt - 5)
  } else await world.reach(place === 'at-round' ? roundAt + 3 : roundAt + 30)
}

const work = (world: Played, answerWithinMs = impatientMs): Promise<void> =>
  world.draw({}, answerWithinMs).catch(unlessExpected)

/** Refusals and deaths are what may happen; anything else is a bug. */
function unlessExpected(error: unknown): void {
  if (!(error instanceof RaffleError) && !(error instanceof Killed)) throw error
}

/** What is handed in is taken if it is right, due and not known yet, and in no other case. */
async function visit(
  world: Played,
  kind: Extract<Step, { kind: 'visitor' }>['signature'],
): Promise<Broken[]> {
  const noted = await world.round()
  const round = noted?.round ?? 1
  const isKnown = (await world.db.select().from(beacons)).length > 0
  const { timestamp } = await world.deps.chain.finalized()
  const signatures = {
    right: () => world.sign(round),
    'other-round': () => world.sign(round + 1),
    'wrong-key': () => `0x${'ab'.repeat(48)}`,
    infinity: () => `0xc0${'00'.repeat(47)}`,
  }
  const status = await world.handIn(1, signatures[kind]())
  const isDue = noted !== undefined && timestamp * 1000 >= noted.dueAt.getTime()
  const isTaken = kind === 'right' && isDue && !isKnown
  world.isHandedIn ||= status === 200
  return (status === 200) === isTaken
    ? []
    : [{ name: 'what visitors hand in', saw: `${kind} answered with ${status}` }]
}

/** I36: nothing is drawn or taken before a final block has reached the time of the round. */
async function tooEarly(world: Played): Promise<Broken[]> {
  const [taken, drawn, noted] = await Promise.all([
    world.db.select().from(beacons),
    world.db.select().from(draws),
    world.round(),
  ])
  const { timestamp } = await world.deps.chain.finalized()
  const isDue = noted !== undefined && timestamp * 1000 >= noted.dueAt.getTime()
  const broken: Broken[] = []
  if (!isDue && taken.length + drawn.length > 0)
    broken.push({ name: 'the time of the round', saw: `${taken.length} signatures, ${drawn.length} draws` })
  if (drawn.length > taken.length || taken.some(({ signature, round }) => signature !== world.sign(round)))
    broken.push({ name: 'the signature of the round', saw: JSON.stringify(taken) })
  return broken
}

/** Workers run on: there is a draw, however late, or a round of a week later shows that the event's is lost: then the money goes back. */
async function settle(world: Played): Promise<Broken[]> {
  const isDelivered = world.isHandedIn || world.relays.some(({ fault }) => isHonest(fault))
  // An honest relay ends the wait for those that hang, so that a worker may wait for it.
  await work(world, isDelivered ? 30_000 : impatientMs)
  const drawn = await world.db.select().from(draws)
  if (drawn.length !== Number(isDelivered))
    return [{ name: 'the draw', saw: `${drawn.length} draws, delivered: ${isDelivered}` }]
  if (!isDelivered) {
    await world.reach(roundAt + week + 3)
    await work(world)
    if ((await world.db.select().from(draws)).length === 0) await showLater(world)
  }
  const [ending, ...others] = await world.db.select().from(endings)
  const [row] = await world.db.select().from(draws)
  const came = `${ending?.kind} ${ending?.reason}`
  if (others.length > 0 || came !== (row ? 'drawn null' : 'refunds beacon_lost'))
    return [{ name: 'the ending', saw: came }]
  return row && !isByRule(world, row) ? [{ name: 'the rule', saw: JSON.stringify(row.beacon) }] : []
}

async function showLater(world: Played): Promise<void> {
  const { round = 0, chainHash = '0x' } = (await world.round()) ?? {}
  const later = round + week / world.network.period
  await recordBeacon(world.db, { chainHash, round: later, signature: world.sign(later), source: 'test' })
  await work(world)
}

/** Has the signature half a minute after the time of the round. */
const isHonest = (fault: Played['relays'][number]['fault']): boolean =>
  fault === undefined || fault.kind === 'lies' || (fault.kind === 'late' && fault.seconds < 20)

function isByRule(world: Played, row: typeof draws.$inferSelect): boolean {
  const { beacon, blockSeed, ledgerSha256, ticketsSold, seed, winningTicket } = row
  if (!beacon || beacon.signature !== world.sign(beacon.round)) return false
  const randomness = randomnessOf(beacon.signature)
  const result = drawWinner(firstSeed(blockSeed, { randomness, ledgerSha256 }), ticketsSold)
  return result.seed === seed && result.winningTicket === winningTicket
}
