import { whyNotDrawn } from '../../core/draw/rules.ts'
import { isTemporary, RaffleError } from '../../core/errors.ts'
import type { Jobs } from '../../core/jobs.ts'
import { stopwatch } from '../../core/server/time.ts'
import { recordBeacon } from '../../db/draw/beacons.ts'
import { recordDraw } from '../../db/draw/draws.ts'
import { getDrawFacts } from '../../db/draw/facts.ts'
import {
  answerWorkerRequests,
  openWorkerRequests,
  type WorkerRequest,
} from '../../db/draw/worker-requests.ts'
import type { Db } from '../../db/index.ts'
import { enterRefundMode } from '../../db/refund/mode.ts'
import type { Deps } from '../deps.ts'
import { type DrawInputs, readInputs } from './inputs.ts'
import { readUnreadAnchors } from './read-anchors.ts'

/**
 * Draws the event, or begins its refund mode, once a final block has reached the draw date; past its deadline it is only
 * refunded, which waits for no chain. Safe to run at any
 * time, twice and by many workers at once: the database lets one draw through and refuses the others. Calls
 * that wait for it get the outcome.
 */
export async function draw(deps: Deps, { eventNumber }: Jobs['draw']): Promise<void> {
  const calls = await openWorkerRequests(deps.db, 'draw', eventNumber)
  try {
    await tryDraw(deps, eventNumber, calls)
  } catch (error) {
    if (!(error instanceof RaffleError)) throw error
    const ids = calls.map((call) => call.id)
    await answerWorkerRequests(deps.db, ids, { code: error.code, message: error.message })
    // A round that is not due yet is no trouble: the sweeper comes again.
    if (isTemporary(error) && error.code !== 'BEACON_PENDING') throw error
    deps.log.debug({ eventNumber, code: error.code }, 'event not drawn')
  }
}

async function tryDraw(deps: Deps, eventNumber: number, calls: readonly WorkerRequest[]): Promise<void> {
  const { db, chain, log } = deps
  const durationMs = stopwatch()
  const known = await getDrawFacts(db)
  if (known?.event.number !== eventNumber) throw new RaffleError('ALREADY_DRAWN', 'This event is over.')
  const { event } = known
  let { facts } = known
  if (facts.isOverdue || facts.beacon === 'lost')
    await beginRefundMode(deps, eventNumber, await answeredTime(chain))
  if (!event.drawDate) throw new RaffleError('DRAW_NOT_DUE', 'There is no draw date.')
  const time = event.drawDate.getTime() / 1000
  const head = await chain.finalized()
  const hasBlock = head.timestamp >= time
  if (hasBlock && (await readUnreadAnchors(deps, event, head)))
    facts = (await getDrawFacts(db))?.facts ?? facts
  if (hasBlock) await beginRefundMode(deps, eventNumber, head.timestamp)
  const refusal = whyNotDrawn({ ...facts, isDue: facts.isDue || hasBlock })
  if (refusal && refusal.code !== 'BEACON_PENDING') throw refusal
  if (!hasBlock) throw new RaffleError('NOT_FINAL', 'The draw block is not final yet. Try again in a moment.')
  const isWanted = event.autoDraw || calls.length > 0
  if (!isWanted && facts.beacon === 'found') return
  const inputs = await readInputs(deps, event, head)
  // What was read is noted all the same. Where anchors are untold the sweeper comes again.
  if (!isWanted || facts.anchored === 'unknown') return noteBeacon(db, inputs)
  if (await recordDraw(db, { eventNumber, ...inputs, workerRequests: calls }))
    log.info(
      {
        ...{ eventNumber, drawBlock: Number(inputs.blocks.at(-1)?.number), durationMs: durationMs() },
        ...(inputs.beacon && { round: inputs.beacon.round, source: inputs.source ?? 'stored' }),
      },
      'event drawn',
    )
}

/** Where an administrator starts the draw, its round is shown as soon as it is there. */
async function noteBeacon(db: Db, { beacon, source }: DrawInputs): Promise<void> {
  if (beacon && source) await recordBeacon(db, { ...beacon, source })
}

/**
 * Time of the final block, in seconds, of a chain that goes on: then no clock decides, which may have jumped. Undefined
 * where nobody answers, or the chain stands.
 */
async function answeredTime(chain: Deps['chain']): Promise<number | undefined> {
  const head = await chain.finalized().catch((error) => {
    if (!(error instanceof RaffleError)) throw error
  })
  return chain.health().isStalled ? undefined : head?.timestamp
}

async function beginRefundMode(
  { db, log }: Pick<Deps, 'db' | 'log'>,
  eventNumber: number,
  finalTime?: number,
): Promise<void> {
  const cause = await enterRefundMode(db, eventNumber, finalTime)
  if (!cause) return
  log.info({ eventNumber, cause }, 'refund mode began')
  throw new RaffleError('REFUND_MODE', 'This event is being refunded, so it cannot be drawn.')
}
