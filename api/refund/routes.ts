import { Elysia } from 'elysia'
import { RaffleError } from '../../core/errors.ts'
import { unitsOf } from '../../core/money.ts'
import { markTransfer, releaseRow } from '../../db/refund/decisions.ts'
import { giveUpReport, keepOffers, noteRejected, noteSent, offerRefunds } from '../../db/refund/offers.ts'
import { readRefundRow } from '../../db/refund/row.ts'
import type { AdminGuard } from '../auth/guard.ts'
import type { Deps } from '../deps.ts'
import { toHash, toWallet } from '../http/parse.ts'
import { toOneOf, toQueryNumber } from '../http/query.ts'
import { executeRefund, paused, readDesk } from './desk.ts'
import {
  executeBody,
  keepBody,
  offerBody,
  readdressBody,
  rejectedBody,
  revisionBody,
  sentBody,
  sentOneBody,
  toRowId,
  transferBody,
} from './input.ts'
import { readdress, readWish } from './readdress.ts'

/** The refund desk: what is owed, what is handed to the wallet, what the wallet answered. */
export const refundRoutes = (deps: Pick<Deps, 'bell' | 'admin'>, guard: AdminGuard) => {
  const settings = deps.admin.refunds ?? {
    minUnits: unitsOf(10),
    isPaused: false,
    disperseAddress: undefined,
  }
  const ringWatch = () => void deps.bell.ring('watch-refunds', {})

  return new Elysia({ prefix: '/api/admin' })
    .get(
      '/refunds',
      guard.read(
        ({ db, query: { event, kind } }) =>
          readDesk(db, settings, {
            eventNumber: toQueryNumber(event, 'event'),
            kind: toOneOf(kind, 'kind', ['event', 'leftover']),
          }),
        { background: true },
      ),
    )
    .get(
      '/refunds/:id',
      guard.read(({ db, params }) => readRefundRow(db, toRowId(params.id)), { background: true }),
    )
    .post(
      '/raffle/execute-refund',
      guard.action(
        'refund.execute',
        { body: executeBody, fresh: true, atomic: false },
        async ({ db, body, record }) => {
          const answer = await executeRefund(db, deps.bell, settings, body)
          record({ after: { kind: body.kind, eventNumber: body.eventNumber ?? null, ...answer.summary } })
          return answer
        },
      ),
      { parse: 'none' },
    )
    .post(
      '/refunds/offer',
      guard.action('refund.offer', { body: offerBody }, async ({ db, body, record }) => {
        if (settings.isPaused) throw paused()
        const rows = await offerRefunds(db, body)
        record({ after: { wallet: body.wallet, nonce: body.nonce, ids: rows.map((row) => row.id) } })
        return { rows }
      }),
      { parse: 'none' },
    )
    .post(
      '/refunds/keep',
      guard.action('refund.keep', { body: keepBody }, async ({ db, body, record }) => {
        const ids = await keepOffers(db, body)
        record({ after: { nonce: body.nonce, ids } })
        return { ids }
      }),
      { parse: 'none' },
    )
    .post(
      '/refunds/sent',
      guard.action('refund.sent', { body: sentBody }, async ({ db, body, record }) => {
        const rows = await noteSent(db, body.ids, body.transactionHash)
        record({ after: { transactionHash: body.transactionHash, ids: rows.map((row) => row.id) } })
        ringWatch()
        return { rows }
      }),
      { parse: 'none' },
    )
    .post(
      '/refunds/:id/sent',
      guard.action('refund.sent', { body: sentOneBody }, async ({ db, body, params, record }) => {
        const [row] = await noteSent(db, [toRowId(params.id)], body.transactionHash)
        if (!row) throw unknownRow()
        record({ after: { ...body, ids: [row.id] } })
        ringWatch()
        return row
      }),
      { parse: 'none' },
    )
    .post(
      '/refunds/rejected',
      guard.action('refund.rejected', { body: rejectedBody }, async ({ db, body, record }) => {
        const rows = await noteRejected(db, body.rows)
        record({ after: { ids: rows.map((row) => row.id) } })
        return { rows }
      }),
      { parse: 'none' },
    )
    .post(
      '/refunds/:id/rejected',
      guard.action('refund.rejected', { body: revisionBody }, async ({ db, body, params, record }) => {
        const [row] = await noteRejected(db, [{ id: toRowId(params.id), ...body }])
        if (!row) throw unknownRow()
        record({ after: { ids: [row.id] } })
        return row
      }),
      { parse: 'none' },
    )
    .post(
      '/refunds/:id/lost',
      guard.action('refund.lost', { fresh: true }, async ({ db, params, record }) => {
        const row = await giveUpReport(db, toRowId(params.id))
        record({ after: row })
        return row
      }),
      { parse: 'none' },
    )
    .post(
      '/refunds/:id/release',
      guard.action('refund.release', { fresh: true }, async ({ db, params, record }) => {
        const { before, row } = await releaseRow(db, toRowId(params.id))
        record({ before: { hold: before.hold, released: before.releasedAt !== null }, after: row })
        return row
      }),
      { parse: 'none' },
    )
    .get(
      '/refunds/:id/readdress',
      guard.read(({ db, params, query }) => readWish(db, toRowId(params.id), toWallet(query.recipient))),
    )
    .post(
      '/refunds/:id/readdress',
      guard.action(
        'refund.readdress',
        { body: readdressBody, fresh: true, atomic: false },
        async ({ db, body, params, record }) => {
          const { row, proof } = await readdress(db, deps.bell, { id: toRowId(params.id), ...body })
          record({ after: { ...row, proof } })
          return row
        },
      ),
      { parse: 'none' },
    )
    .post(
      '/refunds/transfers',
      guard.action('refund.transfer', { body: transferBody, fresh: true }, async ({ db, body, record }) => {
        const { before } = await markTransfer(db, { ...body, transactionHash: toHash(body.transactionHash) })
        record({ before: { ...body, notRefund: before }, after: body })
        return body
      }),
      { parse: 'none' },
    )
}

const unknownRow = () => new RaffleError('NOT_FOUND', '해당 환불 항목이 없습니다.')
