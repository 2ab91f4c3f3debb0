import { Elysia } from 'elysia'
import type { Hash } from 'viem'
import type { TransferMark } from '../../core/refund/classes.ts'
import { markTransfer, releaseRow } from '../../db/refund/decisions.ts'
import type { AdminGuard } from '../auth/guard.ts'
import type { Deps } from '../deps.ts'
import { markedTransfer, readdressBody, transferBody, wish, wishQuery } from './decision-schema.ts'
import { readdress, readWish } from './readdress.ts'
import { refundRow, rowInPath } from './schema.ts'

/**
 * What an administrator decides on a row: to release it, to pay another address, to count a transfer or not.
 */
export const refundDecisionRoutes = ({ jobs }: Pick<Deps, 'jobs'>, guard: AdminGuard) =>
  new Elysia({ prefix: '/api/admin' })
    .post(
      '/refunds/:id/release',
      ...guard.action(
        'refund.release',
        {
          about: 'Lets a held row go',
          params: rowInPath,
          answer: refundRow,
          fresh: true,
        },
        async ({ db, params, record }) => {
          const { before, row } = await releaseRow(db, params.id)
          record({ before: { hold: before.hold, released: before.releasedAt !== null }, after: row })
          return row
        },
      ),
    )
    .get(
      '/refunds/:id/readdress',
      ...guard.read(
        {
          about: 'What the payer signs for another address',
          params: rowInPath,
          query: wishQuery,
          answer: wish,
          refusals: ['TX_PENDING', 'ALREADY_PROCESSED'],
        },
        ({ db, params, query }) => readWish(db, params.id, query.recipient),
      ),
    )
    .post(
      '/refunds/:id/readdress',
      ...guard.action(
        'refund.readdress',
        {
          about: 'Sends a row elsewhere, by the payer’s signature',
          params: rowInPath,
          body: readdressBody,
          answer: refundRow,
          refusals: ['TX_PENDING', 'ALREADY_PROCESSED', 'RPC_UNAVAILABLE'],
          fresh: true,
          atomic: false,
        },
        async ({ db, body, params, record }) => {
          const { row, proof } = await readdress(db, jobs, { id: params.id, ...body })
          record({ after: { ...row, proof } })
          return row
        },
      ),
    )
    .post(
      '/refunds/transfers',
      ...guard.action(
        'refund.transfer',
        {
          about: 'Says what a transfer was for: a refund, a prize or neither; null leaves it to the rule',
          body: transferBody,
          answer: markedTransfer,
          refusals: ['NOT_FOUND', 'ALREADY_PROCESSED'],
          fresh: true,
        },
        async ({ db, body: { notRefund, markedAs: named, ...transfer }, record }) => {
          const markedAs = named === undefined ? (notRefund ? ('other' as const) : null) : named
          const { before } = await markTransfer(db, { ...transfer, markedAs })
          record({ before: described(transfer, before), after: described(transfer, markedAs) })
          return described(transfer, markedAs)
        },
      ),
    )

const described = (transfer: { transactionHash: Hash; position: number }, markedAs: TransferMark | null) => ({
  ...transfer,
  notRefund: markedAs === 'other' || markedAs === 'prize',
  markedAs,
})
