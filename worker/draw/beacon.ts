import { beaconDepth, beaconLostDays, quicknet } from '../../core/draw/beacon.ts'
import { drawBlocks } from '../../core/draw/draw.ts'
import type { ProofBeacon } from '../../core/draw/proof.ts'
import { RaffleError } from '../../core/errors.ts'
import {
  type DueRound,
  findSignature,
  loadDrawBlocks,
  loadRound,
  noteRound,
  proofBeaconOf,
  recordBeacon,
} from '../../db/draw/beacons.ts'
import type { AgreedBlock } from '../../db/draw/draws.ts'
import type { Event } from '../../db/event/events.ts'
import type { Header } from '../chain/index.ts'
import type { Deps } from '../deps.ts'
import { expectKept, firstBlocks } from './draw-block.ts'
import type { Beacon } from './relays.ts'

const lostSeconds = beaconLostDays * 86_400
const noRelays: Beacon = { network: quicknet, fetchRound: async () => undefined }

/**
 * What a draw with `blocks+drand` is made of, step by step, each of which is stored: the five blocks once D is final, the
 * round once D+32 is, the signature once a final block has reached its time. `head` is final and not before D. Throws
 * BEACON_PENDING until all of it is there.
 */
export async function readMixed(
  deps: Deps,
  event: Event,
  head: Header,
): Promise<{ blocks: AgreedBlock[]; beacon: ProofBeacon; source?: string }> {
  const { db, beacon: relays = noRelays } = deps
  const blocks = (await loadDrawBlocks(db, event.number)) ?? (await firstBlocks(deps, event, head))
  const round = (await loadRound(db, event.number)) ?? (await firstRound(deps, event, blocks, head))
  if (round.chainHash !== relays.network.chainHash)
    throw new Error(`the round of event ${event.number} is of another beacon`)
  // Whoever wrote it there: the key of the network has confirmed it just now.
  const stored = await findSignature(db, round, relays.network)
  // Before the round's time a signature could only come from a broken beacon.
  if (!stored && head.timestamp < round.dueAt.getTime() / 1000) throw pending(round)
  const brought = stored ? undefined : await relays.fetchRound(round.round)
  const signature = stored ?? brought?.signature
  if (!signature) {
    await lookForLater(deps, round, head)
    throw pending(round)
  }
  const noted = [blocks.at(-1) as AgreedBlock, { ...round.after, number: BigInt(round.after.number) }]
  await expectKept(deps, noted, head)
  return { blocks, beacon: proofBeaconOf(round, signature), ...(brought && { source: brought.source }) }
}

/** Seven days after its time: a round of then shows that the beacon went on, and that this one is lost. */
async function lookForLater(
  { db, beacon: relays = noRelays }: Deps,
  { round, chainHash, dueAt }: DueRound,
  head: Header,
) {
  if (head.timestamp < dueAt.getTime() / 1000 + lostSeconds) return
  const later = round + lostSeconds / relays.network.period
  const brought = await relays.fetchRound(later)
  if (brought) await recordBeacon(db, { chainHash, round: later, ...brought })
}

async function firstRound(
  { db, chain, beacon: { network } = noRelays }: Deps,
  event: Event,
  blocks: readonly AgreedBlock[],
  head: Header,
): Promise<DueRound> {
  const drawBlock = blocks.at(drawBlocks - 1) as AgreedBlock
  const depth = drawBlock.number + BigInt(beaconDepth)
  if (head.number < depth)
    throw new RaffleError(
      'BEACON_PENDING',
      'The round of the beacon is not known yet. Try again in a moment.',
    )
  const [atDraw, after] = await chain.agreedHeaders([drawBlock.number, depth])
  if (!after || atDraw?.hash !== drawBlock.hash || after.number !== depth)
    throw new RaffleError('RPC_DISAGREE', 'The endpoints do not agree on the draw block.', {
      drawBlock: `${drawBlock.number}`,
    })
  return noteRound(db, event, after, network)
}

const pending = ({ round, dueAt }: DueRound) =>
  new RaffleError(
    'BEACON_PENDING',
    `The draw waits for round ${round} of the beacon, due at ${dueAt.toISOString()}.`,
  )
