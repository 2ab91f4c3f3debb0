import pino from 'pino'
import { roundTime } from '../../core/draw/beacon.ts'
import { events } from '../../db/schema/index.ts'
import { type LocalBeacon, newestBlockTime, type RelayFault, startBeacon } from '../../infra/local/beacon.ts'
import type { Deps } from '../../worker/deps.ts'
import { connectRelays } from '../../worker/draw/relays.ts'
import { type DrawWorld, drawAt, openDrawWorld } from './draw-story.ts'

export type BeaconWorld = Awaited<ReturnType<typeof openBeaconWorld>>

type Options = Omit<NonNullable<Parameters<typeof openDrawWorld>[0]>, 'entropy'> & {
  /** A relay for each, with what is wrong with it. */
  relays?: readonly (RelayFault | undefined)[]
}

/** As drand's own, so that the story is that of a draw on the chain that matters. */
const gapSeconds = 60
/** The round of the story is due at this second. */
export const roundAt = drawAt + gapSeconds

/** As openDrawWorld, with `blocks+drand`, on a beacon whose clock is the chain's newest block. */
export async function openBeaconWorld({ relays: faults = [undefined], ...options }: Options = {}) {
  const world: DrawWorld = await openDrawWorld({ ...options, entropy: 'blocks+drand' })
  const relays = faults.map((fault) =>
    Object.assign(startBeacon({ secret: 42n, now: () => newestBlockTime(world.url), gapSeconds }), { fault }),
  )
  const [{ network, sign }] = relays as [LocalBeacon]
  /** A worker of its own, which has asked nobody yet. The usual limit is one that no busy machine reaches. */
  const worker = (change: Partial<Deps> = {}, answerWithinMs = 30_000): Deps => ({
    ...world.deps,
    beacon: connectRelays({
      network,
      urls: relays.map(({ url }) => url),
      log: pino({ level: 'silent' }),
      answerWithinMs,
      staggerMs: 20,
    }),
    ...change,
  })
  const draw = (change?: Partial<Deps>, answerWithinMs?: number) => world.draw(worker(change, answerWithinMs))
  /** Blocks up to D+32, and so many seconds of the story later two that make them final. */
  async function toRound(second: number): Promise<void> {
    await world.toDraw()
    await world.mine(32)
    await reach(second)
  }
  async function reach(second: number): Promise<void> {
    await world.mineAt(second)
    await world.mine(2)
    await world.scan()
  }
  return {
    ...world,
    ...{ relays, network, sign, worker, draw, toRound, reach },
    /** The round that the event takes; undefined before it is noted. */
    round: async () => (await world.db.select().from(events))[0]?.beaconRound ?? undefined,
    roundTime: (round: number) => roundTime(round, network) - world.start,
    close: async () => {
      await Promise.all(relays.map((relay) => relay.stop()))
      await world.close()
    },
  }
}
