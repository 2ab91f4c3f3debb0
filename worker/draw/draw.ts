import { whyNotDrawn } from '../../core/draw/rules.ts'
import { isTemporary, RaffleError } from '../../core/errors.ts'
import type { Jobs } from '../../core/jobs.ts'
import { stopwatch, withDeadline } from '../../core/server/time.ts'
import { lastLedgerBlock, recordDraw } from '../../db/draw/draws.ts'
import { getDrawFacts } from '../../db/draw/facts.ts'
import {
  answerWorkerRequests,
  openWorkerRequests,
  type WorkerRequest,
} from '../../db/draw/worker-requests.ts'
import { enterRefundMode } from '../../db/refund/mode.ts'
import type { Deps } from '../deps.ts'
import { anchor } from './anchor.ts'
import { readDrawBlocks } from './draw-block.ts'

const anchorMs = 2_000

/**
 * Draws the event, or begins its refund mode, once a final block has reached the draw date; past its deadline it is only
 * refunded, which needs no chain. Safe to run at any
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
    if (isTemporary(error)) throw error
    deps.log.debug({ eventNumber, code: error.code }, 'event not drawn')
  }
}

async function tryDraw(deps: Deps, eventNumber: number, calls: readonly WorkerRequest[]): Promise<void> {
  const { db, chain, log } = deps
  const durationMs = stopwatch()
  const { event, facts } = (await getDrawFacts(db)) ?? {}
  if (event?.number !== eventNumber) throw new RaffleError('ALREADY_DRAWN', 'This event is over.')
  if (facts?.isOverdue) await beginRefundMode(deps, eventNumber)
  if (!event.drawDate || !facts) throw new RaffleError('DRAW_NOT_DUE', 'There is no draw date.')
  const time = event.drawDate.getTime() / 1000
  const head = await chain.finalized()
  const hasBlock = head.timestamp >= time
  if (hasBlock) await beginRefundMode(deps, eventNumber, head.timestamp)
  const refusal = whyNotDrawn({ ...facts, isDue: facts.isDue || hasBlock })
  if (refusal) throw refusal
  if (!hasBlock) throw new RaffleError('NOT_FINAL', 'The draw block is not final yet. Try again in a moment.')
  if (!event.autoDraw && calls.length === 0) return
  const blocks = await readDrawBlocks(chain, time, head, await lastLedgerBlock(db, eventNumber))
  // The anchor may stand in one of the last blocks before D, and the proof of a draw never changes. It is
  // looked at for a moment; the draw waits for no anchor.
  await withDeadline(anchorMs, anchor(deps, { eventNumber }), () => undefined)
  if (await recordDraw(db, { eventNumber, blocks, workerRequests: calls }))
    log.info(
      { eventNumber, drawBlock: Number(blocks.at(-1)?.number), durationMs: durationMs() },
      'event drawn',
    )
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
