import type { ProofBeacon } from '../../core/draw/proof.ts'
import { loadDrawBlocks } from '../../db/draw/beacons.ts'
import type { AgreedBlock } from '../../db/draw/draws.ts'
import type { Event } from '../../db/event/events.ts'
import type { Header } from '../chain/index.ts'
import type { Deps } from '../deps.ts'
import { readMixed } from './beacon.ts'
import { findReplaced, firstBlocks, readBlocksOf } from './draw-block.ts'

/** `source`: a relay has just brought the signature, which is not stored yet. */
type DrawInputs = { blocks: AgreedBlock[]; beacon: ProofBeacon | null; source?: string }

/**
 * What the event's draw is made of. Its blocks are noted as soon as D is final: an administrator may start the draw days later,
 * and nodes may have dropped them by then. Throws what readDrawBlocks and readMixed throw.
 */
export async function readInputs(deps: Deps, event: Event, head: Header): Promise<DrawInputs> {
  if (event.entropy !== 'blocks') return readMixed(deps, event, head)
  const noted = await loadDrawBlocks(deps.db, event.number)
  if (!noted) return { blocks: await firstBlocks(deps, event, head), beacon: null }
  // Nobody could find a replaced one on the chain, and nobody was told of it: the blocks that stand are drawn from.
  const isReplaced = (await findReplaced(deps, noted, head)) !== undefined
  return { blocks: isReplaced ? await readBlocksOf(deps, event, head) : noted, beacon: null }
}
