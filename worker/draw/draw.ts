import type { Hash } from 'viem'
import { beaconDepth, beaconLostDays, quicknet } from '../../core/draw/beacon.ts'
import { drawBlocks } from '../../core/draw/draw.ts'
import type { ProofBeacon } from '../../core/draw/proof.ts'
import { whyNotDrawn } from '../../core/draw/rules.ts'
import { isTemporary, RaffleError } from '../../core/errors.ts'
import type { Jobs } from '../../core/jobs.ts'
import { stopwatch } from '../../core/server/time.ts'
import {
  agreedBlocks,
  findSignature,
  noteDrawBlocks,
  noteRound,
  proofBeaconOf,
  recordBeacon,
  roundPending,
} from '../../db/draw/beacons.ts'
import { type AgreedBlock, lastLedgerBlock, recordDraw } from '../../db/draw/draws.ts'
import { enterRefundMode, getDrawFacts } from '../../db/draw/facts.ts'
import type { Event } from '../../db/event/events.ts'
import type { BeaconRound } from '../../db/schema/index.ts'
import { pastLag } from '../chain/finality.ts'
import type { Header, MinedHeader } from '../chain/headers.ts'
import type { Chain } from '../chain/index.ts'
import type { Deps } from '../deps.ts'
import { firstBlockSince } from '../payment/first-block.ts'
import type { Beacon } from './relays.ts'

/** Draws the event, or begins its refund mode, once a final block has reached the draw date. Safe to run
 * twice and by many workers: the database lets one draw through. */
export async function draw(deps: Deps, { eventNumber }: Jobs['draw']): Promise<void> {
  try {
    await tryDraw(deps, eventNumber)
  } catch (error) {
    if (!(error instanceof RaffleError)) throw error
    // A round that is not due yet is no trouble: the sweeper comes again.
    if (isTemporary(error) && error.code !== 'BEACON_PENDING') throw error
    deps.log.debug({ eventNumber, code: error.code }, 'event not drawn')
  }
}

async function tryDraw(deps: Deps, eventNumber: number): Promise<void> {
  const { db, chain, log } = deps
  const durationMs = stopwatch()
  const known = await getDrawFacts(db, deps.beacon?.network)
  if (known?.event.number !== eventNumber) return
  const { event, facts } = known
  // No draw block says so.
  if (facts.isOverdue || facts.isListLost) await beginRefundMode(deps, eventNumber)
  if (!event.drawDate) throw new RaffleError('DRAW_NOT_DUE')
  const head = await chain.finalized()
  const hasBlock = head.timestamp >= event.drawDate.getTime() / 1000
  if (hasBlock) await beginRefundMode(deps, eventNumber, head.timestamp)
  const refusal = whyNotDrawn({ ...facts, isDue: facts.isDue || hasBlock })
  if (refusal && refusal.code !== 'BEACON_PENDING') throw refusal
  if (!hasBlock) throw new RaffleError('NOT_FINAL', { reason: 'block' })
  const inputs = await readInputs(deps, event, head)
  const { blocks, beacon, source } = inputs
  if (await recordDraw(db, { eventNumber, ...inputs }))
    log.info(
      {
        ...{ eventNumber, drawBlock: Number(blocks.at(-1)?.number), durationMs: durationMs() },
        ...(beacon && { round: beacon.round, source: source ?? 'stored' }),
      },
      'event drawn',
    )
  else if (beacon && source) await recordBeacon(db, { ...beacon, source })
}

async function beginRefundMode(
  { db, log, beacon }: Deps,
  eventNumber: number,
  finalTime?: number,
): Promise<void> {
  const cause = await enterRefundMode(db, eventNumber, { finalTime, network: beacon?.network })
  if (!cause) return
  log.info({ eventNumber, cause }, 'refund mode began')
  throw new RaffleError('REFUND_MODE')
}

/** `source`: a relay has just brought the signature, which is not stored yet. */
type DrawInputs = { blocks: AgreedBlock[]; beacon: ProofBeacon | null; source?: string }

/** Its blocks are noted as soon as D is final: nodes may have dropped them when an administrator starts the
 * draw. Throws what readDrawBlocks and readMixed throw. */
async function readInputs(deps: Deps, event: Event, head: Header): Promise<DrawInputs> {
  if (event.entropy !== 'blocks') return readMixed(deps, event, head)
  const noted = agreedBlocks(event.drawBlocks)
  if (!noted) return { blocks: await firstBlocks(deps, event, head), beacon: null }
  // Nobody could find a replaced one on the chain, and nobody was told of it: the blocks that stand are drawn from.
  const isReplaced = (await findReplaced(deps, noted, head)) !== undefined
  return { blocks: isReplaced ? await readBlocksOf(deps, event, head) : noted, beacon: null }
}

/** D−4 … D, where D is the first block whose time is at least `time` (seconds). `head` is final and not
 * before D, `above` lies before it. Throws RPC_DISAGREE. @internal */
export async function readDrawBlocks(
  chain: Chain,
  time: number,
  head: Header,
  above: bigint,
): Promise<MinedHeader[]> {
  const drawBlock = await firstBlockSince(chain, time, head, above)
  const first = drawBlock - BigInt(drawBlocks - 1)
  if (first < 0n) throw new RaffleError('NOT_FINAL', { reason: 'block' })
  const headers = await chain.agreedHeaders(Array.from({ length: drawBlocks }, (_, i) => first + BigInt(i)))
  const isRight = headers.every((header, i) => {
    const isInOrder = i === 0 || header.timestamp >= (headers[i - 1] as Header).timestamp
    return (
      header.number === first + BigInt(i) && isInOrder && header.timestamp >= time === (i === drawBlocks - 1)
    )
  })
  if (!isRight) throw new RaffleError('RPC_DISAGREE', { data: { drawBlock: `${drawBlock}` } })
  return headers
}

/** The five blocks of an event, as readDrawBlocks has them. `head` is final and not before D. */
async function readBlocksOf(
  { db, chain }: Pick<Deps, 'db' | 'chain'>,
  event: Event,
  head: Header,
): Promise<AgreedBlock[]> {
  const time = (event.drawDate as Date).getTime() / 1000
  return readDrawBlocks(chain, time, head, await lastLedgerBlock(db, event.number))
}

/** As readBlocksOf, and notes them; those that were noted first stay. */
const firstBlocks = async (deps: Deps, event: Event, head: Header): Promise<AgreedBlock[]> =>
  noteDrawBlocks(deps.db, event.number, await readBlocksOf(deps, event, head))

/** The first of these that was replaced since. What nodes have dropped is taken as it was noted, so a late
 * draw needs no archive. Throws RPC_UNAVAILABLE, RPC_DISAGREE. */
async function findReplaced(
  { chain }: Pick<Deps, 'chain'>,
  noted: readonly { number: bigint; hash: Hash }[],
  head: Header,
): Promise<{ number: bigint } | undefined> {
  const headers = await Promise.all(noted.map(({ number }) => readKept(chain, number, head)))
  return noted.find(({ hash }, index) => headers[index] && headers[index].hash !== hash)
}

/** Undefined for a block that nodes may have dropped, each in its own words. */
async function readKept(chain: Chain, number: bigint, head: Header): Promise<Header | undefined> {
  const mayBeDropped = head.number - number > pastLag
  const header = await chain.header(number).catch((error) => {
    const isUntold = error instanceof RaffleError && error.code !== 'RPC_DISAGREE'
    if (!isUntold || !mayBeDropped) throw error
  })
  if (!header && !mayBeDropped)
    throw new RaffleError('RPC_UNAVAILABLE', { reason: 'chain', data: { missing: `${number}` } })
  return header ?? undefined
}

const lostSeconds = beaconLostDays * 86_400
const noRelays: Beacon = { network: quicknet, fetchRound: async () => undefined }

/** Each part is stored as it comes: the blocks once D is final, the round once D+32 is, the signature at its
 * time. `head` is final and not before D. Throws BEACON_PENDING. */
async function readMixed(deps: Deps, event: Event, head: Header): Promise<DrawInputs> {
  const { db, beacon: relays = noRelays } = deps
  const blocks = agreedBlocks(event.drawBlocks) ?? (await firstBlocks(deps, event, head))
  const round = event.beaconRound ?? (await firstRound(deps, event, blocks, head))
  if (round.chainHash !== relays.network.chainHash)
    throw new Error(`the round of event ${event.number} is of another beacon`)
  // Whoever wrote it there: the key of the network has confirmed it just now.
  const stored = await findSignature(db, round, relays.network)
  // Before the round's time a signature could only come from a broken beacon.
  if (!stored && head.timestamp < round.time) throw roundPending(round)
  const brought = stored ? undefined : await relays.fetchRound(round.round)
  const signature = stored ?? brought?.signature
  if (!signature) {
    await lookForLater(deps, round, head)
    throw roundPending(round)
  }
  const noted = [blocks.at(-1) as AgreedBlock, { ...round.after, number: BigInt(round.after.number) }]
  const replaced = await findReplaced(deps, noted, head)
  // Nobody could find it on the chain.
  if (replaced) throw new RaffleError('RPC_DISAGREE', { data: { replaced: `${replaced.number}` } })
  return { blocks, beacon: proofBeaconOf(round, signature), ...(brought && { source: brought.source }) }
}

/** Seven days after its time: a round of then shows that the beacon went on, and that this one is lost. */
async function lookForLater(
  { db, beacon: relays = noRelays }: Deps,
  { round, chainHash, time }: BeaconRound,
  head: Header,
) {
  if (head.timestamp < time + lostSeconds) return
  const later = round + lostSeconds / relays.network.period
  const brought = await relays.fetchRound(later)
  if (brought) await recordBeacon(db, { chainHash, round: later, ...brought })
}

async function firstRound(
  { db, chain, beacon: { network } = noRelays }: Deps,
  event: Event,
  blocks: readonly AgreedBlock[],
  head: Header,
): Promise<BeaconRound> {
  const drawBlock = blocks.at(drawBlocks - 1) as AgreedBlock
  const depth = drawBlock.number + BigInt(beaconDepth)
  if (head.number < depth) throw new RaffleError('BEACON_PENDING', { reason: 'unknown' })
  const [atDraw, after] = await chain.agreedHeaders([drawBlock.number, depth])
  if (!after || atDraw?.hash !== drawBlock.hash || after.number !== depth)
    throw new RaffleError('RPC_DISAGREE', { data: { drawBlock: `${drawBlock.number}` } })
  return noteRound(db, event, after, network)
}
