import { beaconDepth, beaconLostDays, quicknet } from '../../core/draw/beacon.ts'
import { drawBlocks } from '../../core/draw/draw.ts'
import type { ProofBeacon } from '../../core/draw/proof.ts'
import { RaffleError } from '../../core/errors.ts'
import {
  type DueRound,
  loadBeacon,
  loadDrawBlocks,
  loadRound,
  noteRound,
  proofBeaconOf,
} from '../../db/draw/beacons.ts'
import type { AgreedBlock } from '../../db/draw/result.ts'
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
  const beacon = await loadBeacon(db, event.number)
  if (!beacon && !isAwaited(event, round, head)) throw pending(round)
  const brought = beacon ? undefined : await relays.fetchRound(round.round)
  if (!beacon && !brought) throw pending(round)
  const noted = [blocks.at(-1) as AgreedBlock, { ...round.after, number: BigInt(round.after.number) }]
  await expectKept(deps, noted, head)
  if (!brought) return { blocks, beacon: beacon as ProofBeacon }
  return { blocks, beacon: proofBeaconOf(round, brought.signature), source: brought.source }
}

/**
 * Before the round's time a signature could only come from a broken beacon. A late one is waited for no longer, but tells
 * who would have won: whoever kept the draw waiting does not hide it.
 */
function isAwaited({ refundModeAt }: Event, { dueAt }: DueRound, { timestamp }: Header): boolean {
  const lateSeconds = timestamp - dueAt.getTime() / 1000
  return lateSeconds >= 0 && (lateSeconds < lostSeconds || refundModeAt !== null)
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
