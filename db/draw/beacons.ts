import { and, asc, eq, gt, isNull, type SQL } from 'drizzle-orm'
import type { Hash, Hex } from 'viem'
import {
  type BeaconNetwork,
  beaconRoundOf,
  parseSignature,
  randomnessOf,
  roundTime,
} from '../../core/draw/beacon.ts'
import { blockSeedOf } from '../../core/draw/draw.ts'
import type { ProofBeacon } from '../../core/draw/proof.ts'
import { RaffleError } from '../../core/errors.ts'
import type { PublicFacts } from '../../core/live/state.ts'
import { isSignature } from '../../core/server/signature-check.ts'
import { type Event, getEvent } from '../event/events.ts'
import { getScanCursor } from '../event/sale.ts'
import { bumpVersion } from '../event/terms.ts'
import type { Db } from '../index.ts'
import { type BeaconRound, beacons, draws, events } from '../schema/index.ts'
import type { AgreedBlock } from './draws.ts'

export type BroughtRound = Pick<typeof beacons.$inferInsert, 'chainHash' | 'round' | 'signature' | 'source'>

export const agreedBlocks = (noted: Event['drawBlocks']): AgreedBlock[] | undefined =>
  noted?.map(({ number, ...block }) => ({ ...block, number: BigInt(number) }))

/** Notes the five blocks, final and agreed on, for everybody to see; those that were noted first stay. */
export async function noteDrawBlocks(db: Db, eventNumber: number, blocks: readonly AgreedBlock[]) {
  const drawBlocks = blocks.map((block) => ({ ...block, number: `${block.number}` }))
  const event = await noteOnce(db, eventNumber, isNull(events.drawBlocks), { drawBlocks })
  return agreedBlocks(event.drawBlocks) as AgreedBlock[]
}

/** Notes the round that the rule gives an event; `after` is D+32, final and agreed on. The one that was noted first stays. */
export async function noteRound(
  db: Db,
  { number, drawDate }: Pick<Event, 'number' | 'drawDate'>,
  { hash, timestamp, ...after }: { number: bigint; hash: Hash; timestamp: number },
  network: BeaconNetwork,
): Promise<BeaconRound> {
  const round = beaconRoundOf((drawDate as Date).getTime() / 1000, timestamp, network)
  const beaconRound = {
    ...{ round, network: network.name, chainHash: network.chainHash, time: roundTime(round, network) },
    after: { number: Number(after.number), hash, timestamp },
  }
  const event = await noteOnce(db, number, isNull(events.beaconRound), { beaconRound })
  return event.beaconRound as BeaconRound
}

/** The event as it is then, whoever was first. */
const noteOnce = (
  db: Db,
  eventNumber: number,
  isNew: SQL,
  noted: Partial<Pick<Event, 'drawBlocks' | 'beaconRound'>>,
): Promise<Event> =>
  db.transaction(async (tx) => {
    const which = and(eq(events.number, eventNumber), isNew)
    const { count: changed } = await tx.update(events).set(noted).where(which)
    if (changed > 0) await bumpVersion(tx)
    return (await getEvent(tx, eventNumber)) as Event
  })

type Round = Pick<BeaconRound, 'chainHash' | 'round'>

/** The signature of a round; undefined while none is stored that the network's pinned key confirms. */
export const findSignature = (db: Db, { chainHash, round }: Round, network: BeaconNetwork) =>
  firstRight(db, network, chainHash, eq(beacons.round, round))

/** Whether one of a round after this one is there, as the network's pinned key confirms. */
export const isLaterKnown = async (db: Db, { chainHash, round }: Round, network: BeaconNetwork) =>
  (await firstRight(db, network, chainHash, gt(beacons.round, round))) !== undefined

/** A row says nothing by itself: whoever may write one would choose the winner by it, or bar the true one. */
async function firstRight(db: Db, network: BeaconNetwork, chainHash: Hex, which: SQL) {
  if (chainHash !== network.chainHash) return undefined
  const rows = await db
    .select({ round: beacons.round, signature: beacons.signature })
    .from(beacons)
    .where(and(eq(beacons.chainHash, chainHash), which))
    .orderBy(asc(beacons.receivedAt))
  for (const { round, signature } of rows) if (await isRight(signature, round, network)) return signature
  return undefined
}

const checked = new Map<string, Promise<boolean>>()
const mostChecked = 4_096

function isRight(signature: Hex, round: number, network: BeaconNetwork): Promise<boolean> {
  if (parseSignature(signature) !== signature) return Promise.resolve(false)
  const key = `${network.publicKey} ${round} ${signature}`
  const known = checked.get(key)
  if (known) return known
  if (checked.size >= mostChecked) checked.clear()
  const answer = isSignature(signature, round, network)
  checked.set(key, answer)
  answer.catch(() => checked.delete(key))
  return answer
}

export const proofBeaconOf = (round: BeaconRound, signature: Hex): ProofBeacon => ({
  ...{ ...round, signature, randomness: randomnessOf(signature) },
})

/** False if it was known. The caller has verified it. */
export async function insertBeacon(tx: Db, brought: BroughtRound): Promise<boolean> {
  const { count: added } = await tx.insert(beacons).values(brought).onConflictDoNothing()
  return added > 0
}

/** Stores a verified signature by itself, and tells everybody. False if it was known. */
export async function recordBeacon(db: Db, brought: BroughtRound): Promise<boolean> {
  return db.transaction(async (tx) => {
    const isNew = await insertBeacon(tx, brought)
    if (isNew) await bumpVersion(tx)
    return isNew
  })
}

export async function loadPublicBeacon(
  tx: Db,
  { beaconRound: noted, drawDate, entropy }: Pick<Event, 'beaconRound' | 'drawDate' | 'entropy'>,
  network: BeaconNetwork,
): Promise<{ round: number; dueAt: number; isFound: boolean } | null> {
  if (entropy === 'blocks' || !drawDate) return null
  const round = noted?.round ?? beaconRoundOf(drawDate.getTime() / 1000, null, network)
  const isFound = noted !== null && (await findSignature(tx, noted, network)) !== undefined
  return { round, dueAt: (noted?.time ?? roundTime(round, network)) * 1000, isFound }
}

/** As they were noted where the event mixes a beacon in, else once it is drawn: by themselves they tell the winner. */
export async function loadPublicBlocks(
  tx: Db,
  { number, entropy, drawBlocks }: Pick<Event, 'number' | 'entropy' | 'drawBlocks'>,
): Promise<Pick<PublicFacts, 'blockSeed' | 'drawBlocks'>> {
  const noted = entropy === 'blocks' ? null : drawBlocks
  const { blocks: drawn, eventNumber } = draws
  const [draw] = noted ? [] : await tx.select({ drawn }).from(draws).where(eq(eventNumber, number))
  const blocks = noted ?? draw?.drawn
  if (!blocks) return { blockSeed: null, drawBlocks: null }
  return {
    blockSeed: blockSeedOf(blocks.map(({ hash }) => hash)),
    drawBlocks: blocks.map(({ number, hash }) => ({ number: Number(number), hash })),
  }
}

/** Throws NOT_FOUND without a round of this network, BEACON_PENDING before the round's time is final, BEACON_KNOWN. */
export async function openRound(db: Db, eventNumber: number, network: BeaconNetwork): Promise<BeaconRound> {
  const event = await getEvent(db, eventNumber)
  if (event?.entropy !== 'blocks+drand') throw noRound()
  const round = event.beaconRound
  if (!round) throw new RaffleError('BEACON_PENDING', { reason: 'unknown' })
  if (round.chainHash !== network.chainHash) throw noRound()
  if (await findSignature(db, round, network)) throw new RaffleError('BEACON_KNOWN')
  const cursor = await getScanCursor(db)
  if (!cursor || cursor.blockTime.getTime() < round.time * 1000) throw roundPending(round)
  return round
}

export const roundPending = ({ round, time }: BeaconRound) =>
  new RaffleError('BEACON_PENDING', {
    reason: 'due',
    values: { round, due: new Date(time * 1000).toISOString() },
  })

const noRound = () => new RaffleError('NOT_FOUND', { reason: 'round' })
