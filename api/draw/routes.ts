import { Elysia } from 'elysia'
import { whyNotDrawn } from '../../core/draw/rules.ts'
import { RaffleError } from '../../core/errors.ts'
import { readAnchorState } from '../../db/draw/anchor-state.ts'
import { getDrawFacts } from '../../db/draw/facts.ts'
import { announceAgain, clearWinner } from '../../db/draw/winner.ts'
import { getOpenEvent, mustHaveEvent } from '../../db/event/events.ts'
import { listDrawHistory } from '../../db/event/history.ts'
import { expectOpenHouse } from '../../db/event/restored.ts'
import type { AdminGuard } from '../auth/guard.ts'
import type { Deps } from '../deps.ts'
import { workerRequest } from '../http/worker-request.ts'
import { anchorBody, anchoredAnswer, anchorState, clearedAnswer, drawHistory, drawnAnswer } from './schema.ts'

/** Draw calls of administrators: begin it, hide its winner, anchor the ticket list, read the history. */
export const drawRoutes = ({ jobs, clock }: Pick<Deps, 'jobs' | 'clock'>, guard: AdminGuard) => {
  // A worker draws: the draw and its answer are one transaction of the worker, so this action has none.
  const draw = guard.action(
    'draw',
    {
      about: 'Begins the draw; after a clear the same winner is told again',
      answer: drawnAnswer,
      refusals: [
        'DRAW_NOT_DUE',
        'MIN_NOT_REACHED',
        'ALREADY_DRAWN',
        'REFUND_MODE',
        'NOT_FINAL',
        'BEACON_PENDING',
      ],
      fresh: true,
      atomic: false,
    },
    async ({ db, record }) => {
      const eventNumber = await beginDraw({ db, jobs, clock })
      record({ after: { eventNumber } })
      return { eventNumber, isDrawing: true }
    },
  )
  return new Elysia()
    .post('/api/admin/blockchain/draw', ...draw)
    .post('/api/raffle/execute-draw', ...draw)
    .delete(
      '/api/admin/raffle/winner',
      ...guard.action(
        'winner.clear',
        {
          about: 'Hides the announced winner',
          answer: clearedAnswer,
          refusals: ['NO_WINNER'],
          fresh: true,
        },
        async ({ db, record }) => {
          const clearedWinner = await clearWinner(db)
          record({ before: clearedWinner })
          return { clearedWinner }
        },
      ),
    )
    .post(
      '/api/admin/raffle/anchor',
      ...guard.action(
        'ledger.anchor',
        {
          about: 'Names the transaction that anchors the ticket list',
          body: anchorBody,
          answer: anchoredAnswer,
          refusals: ['SALES_OPEN', 'TX_PENDING', 'TRANSACTION_NOT_FOUND'],
          atomic: false,
        },
        async ({ db, body, record }) => {
          const event = await getOpenEvent(db)
          if (!event?.frozenAt) throw new RaffleError('SALES_OPEN', '아직 티켓 명단이 확정되지 않았습니다.')
          await workerRequest({ db, jobs, clock }, { kind: 'anchor', eventNumber: event.number, ...body })
          const after = { eventNumber: event.number, ...body }
          record({ after })
          return after
        },
      ),
    )
    .get(
      '/api/admin/raffle/anchor',
      ...guard.read(
        { about: 'Anchors of the open event, and the key of ANCHOR_KEY', answer: anchorState },
        async ({ db }) => readAnchorState(db, await mustHaveEvent(db)),
      ),
    )
    .get(
      '/api/admin/raffle/history',
      ...guard.read({ about: 'Every event with its draw', answer: drawHistory }, ({ db }) =>
        listDrawHistory(db),
      ),
    )
}

/**
 * Returns once the draw has begun; of parallel calls only one begins it. After a clear the winner already
 * drawn is announced again, without a new draw. Refusals that follow from the database need no worker.
 */
async function beginDraw({ db, jobs, clock }: Pick<Deps, 'db' | 'jobs' | 'clock'>): Promise<number> {
  const found = await getDrawFacts(db)
  if (!found) throw new RaffleError('DRAW_NOT_DUE', 'No event has been opened yet.')
  await expectOpenHouse(db)
  const { event, facts } = found
  if (facts.isDrawn && event.winnerClearedAt && (await db.transaction(announceAgain))) return event.number
  const refusal = whyNotDrawn(facts)
  if (refusal) throw refusal
  await workerRequest({ db, jobs, clock }, { kind: 'draw', eventNumber: event.number })
  return event.number
}
