import { Elysia } from 'elysia'
import { RaffleError } from '../../core/errors.ts'
import { unitsOf } from '../../core/money.ts'
import { giveUpReport, keepOffers, noteRejected, noteSent, offerRefunds } from '../../db/refund/offers.ts'
import { readRefundRow } from '../../db/refund/row.ts'
import type { AdminGuard } from '../auth/guard.ts'
import type { Deps } from '../deps.ts'
import { executeRefund, paused, readDesk } from './desk.ts'
import {
  desk,
  deskQuery,
  executeBody,
  execution,
  keepBody,
  keptAnswer,
  offerBody,
  offeredRows,
  refundRow,
  refundRows,
  rejectedBody,
  revisionBody,
  rowFacts,
  rowInPath,
  sentBody,
  sentOneBody,
} from './schema.ts'

/** The refund desk: the rows, what is handed to the wallet, and what the wallet answered. */
export const refundRoutes = (deps: Pick<Deps, 'jobs' | 'admin'>, guard: AdminGuard) => {
  const settings = deps.admin.refunds ?? {
    minUnits: unitsOf(10),
    isPaused: false,
    disperseAddress: undefined,
  }
  const enqueueWatch = () => void deps.jobs.enqueue('watch-refunds', {})

  return new Elysia({ prefix: '/api/admin' })
    .get(
      '/refunds',
      ...guard.read(
        {
          about: 'The refund desk',
          query: deskQuery,
          answer: desk,
          refusals: ['NOT_FOUND'],
          background: true,
        },
        ({ db, query: { event, kind } }) => readDesk(db, settings, { eventNumber: event, kind }),
      ),
    )
    .get(
      '/refunds/:id',
      ...guard.read(
        { about: 'What a row rests on', params: rowInPath, answer: rowFacts, background: true },
        ({ db, params }) => readRefundRow(db, params.id),
      ),
    )
    .post(
      '/raffle/execute-refund',
      ...guard.action(
        'refund.execute',
        {
          about: 'Prepares a batch if there is none, and answers what is left to be signed',
          body: executeBody,
          answer: execution,
          refusals: [
            'SALES_OPEN',
            'MIN_REACHED',
            'WINNER_EXISTS',
            'NOTHING_TO_REFUND',
            'REFUND_TOTALS_CHANGED',
            'NOT_FINAL',
            'REFUNDS_PAUSED',
            'RPC_UNAVAILABLE',
          ],
          fresh: true,
          atomic: false,
        },
        async ({ db, body: { refundInfo: expected, kind = 'event', eventNumber }, record }) => {
          const answer = await executeRefund(db, deps.jobs, settings, { expected, kind, eventNumber })
          record({ after: { kind, eventNumber: eventNumber ?? null, ...answer.summary } })
          return answer
        },
      ),
    )
    .post(
      '/refunds/offer',
      ...guard.action(
        'refund.offer',
        {
          about: 'Hands rows to a wallet',
          body: offerBody,
          answer: offeredRows,
          refusals: ['TX_PENDING', 'REFUNDS_PAUSED', 'RPC_UNAVAILABLE'],
        },
        async ({ db, body, record }) => {
          if (settings.isPaused) throw paused()
          const rows = await offerRefunds(db, body)
          record({ after: { wallet: body.wallet, nonce: body.nonce, ids: rows.map((row) => row.id) } })
          return { rows }
        },
      ),
    )
    .post(
      '/refunds/keep',
      ...guard.action(
        'refund.keep',
        { about: 'The page still waits for its wallet', body: keepBody, answer: keptAnswer },
        async ({ db, body, record }) => {
          const ids = await keepOffers(db, body)
          record({ after: { nonce: body.nonce, ids } })
          return { ids }
        },
      ),
    )
    .post(
      '/refunds/sent',
      ...guard.action(
        'refund.sent',
        { about: 'Notes the hash that the wallet answered', body: sentBody, answer: refundRows },
        async ({ db, body, record }) => {
          const rows = await noteSent(db, body.ids, body.transactionHash)
          record({ after: { transactionHash: body.transactionHash, ids: rows.map((row) => row.id) } })
          enqueueWatch()
          return { rows }
        },
      ),
    )
    .post(
      '/refunds/:id/sent',
      ...guard.action(
        'refund.sent',
        { about: 'The same for one row', params: rowInPath, body: sentOneBody, answer: refundRow },
        async ({ db, body, params, record }) => {
          const [row] = await noteSent(db, [params.id], body.transactionHash)
          if (!row) throw unknownRow()
          record({ after: { ...body, ids: [row.id] } })
          enqueueWatch()
          return row
        },
      ),
    )
    .post(
      '/refunds/rejected',
      ...guard.action(
        'refund.rejected',
        { about: 'The wallet’s user said no', body: rejectedBody, answer: refundRows },
        async ({ db, body, record }) => {
          const rows = await noteRejected(db, body.rows)
          record({ after: { ids: rows.map((row) => row.id) } })
          return { rows }
        },
      ),
    )
    .post(
      '/refunds/:id/rejected',
      ...guard.action(
        'refund.rejected',
        { about: 'The same for one row', params: rowInPath, body: revisionBody, answer: refundRow },
        async ({ db, body, params, record }) => {
          const [row] = await noteRejected(db, [{ id: params.id, ...body }])
          if (!row) throw unknownRow()
          record({ after: { ids: [row.id] } })
          return row
        },
      ),
    )
    .post(
      '/refunds/:id/lost',
      ...guard.action(
        'refund.lost',
        {
          about: 'A reported transaction will never be mined',
          params: rowInPath,
          answer: refundRow,
          refusals: ['TX_PENDING'],
          fresh: true,
        },
        async ({ db, params, record }) => {
          const row = await giveUpReport(db, params.id)
          record({ after: row })
          return row
        },
      ),
    )
}

const unknownRow = () => new RaffleError('NOT_FOUND', '해당 환불 항목이 없습니다.')
