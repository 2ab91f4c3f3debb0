import { whyNotDrawn } from '../../core/draw/rules.ts'
import { isTemporary, RaffleError } from '../../core/errors.ts'
import type { Jobs } from '../../core/jobs.ts'
import { stopwatch } from '../../core/server/time.ts'
import { recordBeacon } from '../../db/draw/beacons.ts'
import { recordDraw } from '../../db/draw/draws.ts'
import { enterRefundMode, getDrawFacts } from '../../db/draw/facts.ts'
import type { Deps } from '../deps.ts'
import { readInputs } from './inputs.ts'

/**
 * Draws the event, or begins its refund mode, once a final block has reached the draw date. Where an administrator starts
 * the draw its blocks and its round are noted meanwhile. Safe to run at any
 * time, twice and by many workers at once: the database lets one draw through and refuses the others.
 */
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
  // Nobody has to answer for the refunds of an event without a date.
  if (facts.isOverdue) await beginRefundMode(deps, eventNumber)
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
