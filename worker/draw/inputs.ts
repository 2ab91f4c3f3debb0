import type { ProofBeacon } from '../../core/draw/proof.ts'
import { type AgreedBlock, lastLedgerBlock } from '../../db/draw/result.ts'
import type { Event } from '../../db/event/events.ts'
import type { Header } from '../chain/index.ts'
import type { Deps } from '../deps.ts'
import { readMixed } from './beacon.ts'
import { readDrawBlocks } from './draw-block.ts'

/** `source`: a relay has just brought the signature, which is not stored yet. */
export type DrawInputs = { blocks: AgreedBlock[]; beacon: ProofBeacon | null; source?: string }

/** What the event's draw is made of; throws what readDrawBlocks and readMixed throw. */
export async function readInputs(deps: Deps, event: Event, head: Header): Promise<DrawInputs> {
  if (event.entropy !== 'blocks') return readMixed(deps, event, head)
  const time = (event.drawDate as Date).getTime() / 1000
  const above = await lastLedgerBlock(deps.db, event.number)
  return { blocks: await readDrawBlocks(deps.chain, time, head, above), beacon: null }
}
