import { Elysia } from 'elysia'
import { RaffleError } from '../../core/errors.ts'
import { unitsOf } from '../../core/money.ts'
import type { Db } from '../../db/index.ts'
import { lockRefunds } from '../../db/refund/accounts.ts'
import { areAnyUnasked } from '../../db/refund/flight.ts'
import { noteLost } from '../../db/refund/lost.ts'
import { offerByRegister } from '../../db/refund/offer-register.ts'
import { offerRefunds } from '../../db/refund/offers.ts'
import { keepOffers, noteBundle, noteRejected, noteSent, rowsOf } from '../../db/refund/reports.ts'
import { readRefundRow } from '../../db/refund/row.ts'
import type { AdminGuard } from '../auth/guard.ts'
import type { Deps } from '../deps.ts'
import { expectRowsWord } from './batch-word.ts'
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
import { waitForTraffic } from './traffic.ts'

/** The refund desk: the rows, what is handed to the wallet, and what the wallet answered. */
export const refundRoutes = (deps: Pick<Deps, 'jobs' | 'clock' | 'admin'>, guard: AdminGuard) => {
  const settings = deps.admin.refunds ?? {
    minUnits: unitsOf(10),
    isPaused: false,
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
        async ({ db, body: { refundInfo: expected, kind = 'event', eventNumber }, second, record }) => {
          const asked = { expected, kind, eventNumber }
          const answer = await executeRefund({ ...deps, db }, settings, asked, second)
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
          check: async ({ db, body }) => {
            if (settings.isPaused) throw paused()
            await waitForTraffic(db, deps.jobs, body)
          },
        },
        async ({ db, body, second, record }) => {
          const { path, validFor, ...offer } = body
          const answer =
            path === 'register'
              ? await offerByRegister(db, { ...offer, validFor })
              : { rows: await offerRefunds(db, offer), register: null }
          const ids = answer.rows.map((row) => row.id)
          await expectRowsWord(db, second, ids)
          record({ after: { wallet: body.wallet, nonce: body.nonce, path, ids, register: answer.register } })
          return answer
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
        {
          about: 'Notes what the wallet answered: a hash, or the id of a batch',
          body: sentBody,
          answer: refundRows,
          refusals: ['VERSION_CONFLICT'],
          fresh: ({ db, body }) => areAnyUnasked(db, body.ids),
        },
        async ({ db, body, second, record }) => {
          const { ids, claims, transactionHash, bundle } = body
          if (await areUnaskedNow(db, ids)) second.want()
          if (bundle !== undefined) await noteBundle(db, ids, bundle)
          const rows = transactionHash
            ? await noteSent(db, ids, transactionHash, claims)
            : await rowsOf(db, ids)
          record({ after: { transactionHash, bundle, ids: rows.map((row) => row.id) } })
          enqueueWatch()
          return { rows }
        },
      ),
    )
    .post(
      '/refunds/:id/sent',
      ...guard.action(
        'refund.sent',
        {
          about: 'The same for one row',
          params: rowInPath,
          body: sentOneBody,
          answer: refundRow,
          refusals: ['VERSION_CONFLICT'],
          fresh: ({ db, params }) => areAnyUnasked(db, [params.id]),
        },
        async ({ db, body, params: { id }, second, record }) => {
          const { transactionHash, revision } = body
          if (await areUnaskedNow(db, [id])) second.want()
          const claims = revision === undefined ? [] : [{ id, revision }]
          const [row] = await noteSent(db, [id], transactionHash, claims)
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
        { about: 'The wallet’s user said no', body: rejectedBody, answer: refundRows, fresh: true },
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
        {
          about: 'The same for one row',
          params: rowInPath,
          body: revisionBody,
          answer: refundRow,
          fresh: true,
        },
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
          about:
            'Nothing of a request will ever be mined, says the administrator, a day later at the earliest',
          params: rowInPath,
          answer: refundRow,
          refusals: ['TX_PENDING'],
          fresh: true,
        },
        async ({ db, params, record }) => {
          const row = await noteLost(db, params.id)
          record({ after: row })
          enqueueWatch()
          return row
        },
      ),
    )
}

/** With the lock of the books: no offer is taken back between this and the report. */
async function areUnaskedNow(tx: Db, ids: readonly number[]): Promise<boolean> {
  await lockRefunds(tx)
  return areAnyUnasked(tx, ids)
}

const unknownRow = () => new RaffleError('NOT_FOUND', '해당 환불 항목이 없습니다.')
