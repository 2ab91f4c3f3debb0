import { and, asc, eq, gt, type SQL, sql } from 'drizzle-orm'
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
import { beaconRounds, beacons, type DrawBlock, drawBlocks, draws, events } from '../schema/index.ts'
import type { AgreedBlock } from './draws.ts'

/** The round that an event takes, and since when it may be known. */
export type DueRound = typeof beaconRounds.$inferSelect
/** A verified signature of a round. */
export type BroughtRound = Pick<typeof beacons.$inferInsert, 'chainHash' | 'round' | 'signature' | 'source'>

/** The five blocks of an event as they were noted; undefined before. */
export async function loadDrawBlocks(db: Db, eventNumber: number): Promise<AgreedBlock[] | undefined> {
  const [row] = await db.select().from(drawBlocks).where(eq(drawBlocks.eventNumber, eventNumber))
  return row?.blocks.map(toAgreed)
}

/** Notes the five blocks, final and agreed on, for everybody to see; those that were noted first stay. */
export async function noteDrawBlocks(
  db: Db,
  eventNumber: number,
  blocks: readonly AgreedBlock[],
): Promise<AgreedBlock[]> {
  await db.transaction(async (tx) => {
    const stored = blocks.map((block) => ({ ...block, number: `${block.number}` }))
    const blockSeed = blockSeedOf(blocks.map(({ hash }) => hash))
    const rows = await tx
      .insert(drawBlocks)
      .values({ eventNumber, blocks: stored, blockSeed })
      .onConflictDoNothing()
      .returning({ eventNumber: drawBlocks.eventNumber })
    if (rows.length > 0) await bumpVersion(tx)
  })
  return (await loadDrawBlocks(db, eventNumber)) as AgreedBlock[]
}

const toAgreed = ({ number, hash, timestamp, miner }: DrawBlock): AgreedBlock => ({
  ...{ number: BigInt(number), hash, timestamp, miner },
})

/** The round of an event; undefined until D+32 is final. */
export async function loadRound(db: Db, eventNumber: number): Promise<DueRound | undefined> {
  const [row] = await db.select().from(beaconRounds).where(eq(beaconRounds.eventNumber, eventNumber))
  return row
}

/** Notes the round that the rule gives an event; `after` is D+32, final and agreed on. The one that was noted first stays. */
export async function noteRound(
  db: Db,
  { number: eventNumber, drawDate }: Pick<Event, 'number' | 'drawDate'>,
  after: { number: bigint; hash: Hash; timestamp: number },
  network: BeaconNetwork,
): Promise<DueRound> {
  const { hash, timestamp } = after
  const round = beaconRoundOf((drawDate as Date).getTime() / 1000, timestamp, network)
  await db.transaction(async (tx) => {
    const rows = await tx
      .insert(beaconRounds)
      .values({
        ...{ eventNumber, round, network: network.name, chainHash: network.chainHash },
        dueAt: new Date(roundTime(round, network) * 1000),
        after: { number: Number(after.number), hash, timestamp },
      })
      .onConflictDoNothing()
      .returning({ round: beaconRounds.round })
    if (rows.length > 0) await bumpVersion(tx)
  })
  return (await loadRound(db, eventNumber)) as DueRound
}

type Round = Pick<DueRound, 'chainHash' | 'round'>

/** The signature of a round; undefined while none is stored that the network's pinned key confirms. */
export const findSignature = (
  db: Db,
  { chainHash, round }: Round,
  network: BeaconNetwork,
): Promise<Hex | undefined> => firstRight(db, network, chainHash, eq(beacons.round, round))

/** Whether one of a round after this one is there, as the network's pinned key confirms. */
export const isLaterKnown = async (
  db: Db,
  { chainHash, round }: Round,
  network: BeaconNetwork,
): Promise<boolean> => (await firstRight(db, network, chainHash, gt(beacons.round, round))) !== undefined

/** A row says nothing by itself: whoever may write one would choose the winner by it, or bar the true one. */
async function firstRight(
  db: Db,
  network: BeaconNetwork,
  chainHash: Hex,
  which: SQL,
): Promise<Hex | undefined> {
  if (chainHash !== network.chainHash) return undefined
  const rows = await db
    .select({ round: beacons.round, signature: beacons.signature })
    .from(beacons)
    .where(and(eq(beacons.chainHash, chainHash), which))
    .orderBy(asc(beacons.receivedAt))
  for (const { round, signature } of rows) if (await isRight(signature, round, network)) return signature
  return undefined
}

/** What was checked before costs no second check. */
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

/** A round with its signature, as the proof carries it. */
export const proofBeaconOf = (
  { network, chainHash, round, dueAt, after }: DueRound,
  signature: Hex,
): ProofBeacon => ({
  ...{ network, chainHash, round, time: dueAt.getTime() / 1000, after },
  ...{ signature, randomness: randomnessOf(signature) },
})

/**
 * Stores a verified signature. False if it was known.
 */
export async function insertBeacon(tx: Db, brought: BroughtRound): Promise<boolean> {
  const rows = await tx
    .insert(beacons)
    .values(brought)
    .onConflictDoNothing()
    .returning({ round: beacons.round })
  return rows.length > 0
}

/** Stores a verified signature by itself, and tells everybody. False if it was known. */
export async function recordBeacon(db: Db, brought: BroughtRound): Promise<boolean> {
  return db.transaction(async (tx) => {
    const isNew = await insertBeacon(tx, brought)
    if (isNew) await bumpVersion(tx)
    return isNew
  })
}

/** The state of the round of an event; `expected` is what it takes if the chain is not slow. */
export async function loadPublicBeacon(
  tx: Db,
  { number, drawDate, entropy }: Pick<Event, 'number' | 'drawDate' | 'entropy'>,
  network: BeaconNetwork,
): Promise<{ round: number; dueAt: number; isFound: boolean } | null> {
  if (entropy === 'blocks' || !drawDate) return null
  const noted = await loadRound(tx, number)
  const round = noted?.round ?? beaconRoundOf(drawDate.getTime() / 1000, null, network)
  const isFound = noted !== undefined && (await findSignature(tx, noted, network)) !== undefined
  return { round, dueAt: noted?.dueAt.getTime() ?? roundTime(round, network) * 1000, isFound }
}

/**
 * The five blocks of an event and their SHA-256: as they were noted where it mixes a beacon in, else once it is drawn, as by
 * themselves they tell the winner.
 */
export async function loadPublicBlocks(
  tx: Db,
  { number, entropy }: Pick<Event, 'number' | 'entropy'>,
): Promise<Pick<PublicFacts, 'blockSeed' | 'drawBlocks'>> {
  const isOf = (table: typeof drawBlocks | typeof draws) => eq(table.eventNumber, number)
  const [noted] = entropy === 'blocks' ? [] : await tx.select().from(drawBlocks).where(isOf(drawBlocks))
  const [row] = noted ? [noted] : await tx.select().from(draws).where(isOf(draws))
  return {
    blockSeed: row?.blockSeed ?? null,
    drawBlocks: row?.blocks.map(({ number, hash }) => ({ number: Number(number), hash })) ?? null,
  }
}

/** An event that waits for the signature of its round, and for how long already by the database's clock, in seconds. */
export async function awaitedRound(
  db: Db,
  network: BeaconNetwork,
): Promise<{ eventNumber: number; waitedSeconds: number } | undefined> {
  const [row] = await db.execute<{ number: number; waited: string; chain_hash: Hex; round: string }>(sql`
    select e.number, extract(epoch from clock_timestamp() - r.due_at) as waited, r.chain_hash, r.round
    from ${events} e join ${beaconRounds} r on r.event_number = e.number
    where e.archived_at is null and not exists (select 1 from endings where event_number = e.number)`)
  if (!row) return undefined
  const isKnown = await findSignature(db, { chainHash: row.chain_hash, round: Number(row.round) }, network)
  return isKnown ? undefined : { eventNumber: row.number, waitedSeconds: Number(row.waited) }
}

/**
 * The round whose signature an event waits for. Throws NOT_FOUND for an event that mixes no round of this network in,
 * BEACON_PENDING before D+32 is final or a final block that was read has reached the round's time, BEACON_KNOWN.
 */
export async function openRound(db: Db, eventNumber: number, network: BeaconNetwork): Promise<DueRound> {
  const event = await getEvent(db, eventNumber)
  if (event?.entropy !== 'blocks+drand') throw noRound()
  const round = await loadRound(db, eventNumber)
  if (!round) throw new RaffleError('BEACON_PENDING', { reason: 'unknown' })
  if (round.chainHash !== network.chainHash) throw noRound()
  if (await findSignature(db, round, network)) throw new RaffleError('BEACON_KNOWN')
  const cursor = await getScanCursor(db)
  if (!cursor || cursor.blockTime < round.dueAt)
    throw new RaffleError('BEACON_PENDING', {
      reason: 'due',
      values: { round: round.round, due: round.dueAt.toISOString() },
    })
  return round
}

const noRound = () => new RaffleError('NOT_FOUND', { reason: 'round' })
