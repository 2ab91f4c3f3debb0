import { Elysia } from 'elysia'
import type { Db } from '../../db/index.ts'
import { readPayer } from '../../db/refund/payer.ts'
import { listPayers } from '../../db/refund/payers.ts'
import type { AdminGuard } from '../auth/guard.ts'
import { payer, payerInPath, payerQuery, payers, payersQuery } from './books-schema.ts'
import { openEventNumber } from './desk.ts'

/** The books by payer: over all batches of one event, by default the open one. */
export const refundBooksRoutes = (guard: AdminGuard) =>
  new Elysia({ prefix: '/api/admin' })
    .get(
      '/refunds/payers',
      ...guard.read(
        {
          about: 'Who is owed what, by payer',
          query: payersQuery,
          answer: payers,
          refusals: ['NOT_FOUND'],
          background: true,
        },
        async ({ db, query: { event, page, ...wanted } }) =>
          listPayers(db, { ...wanted, page: page || 1, eventNumber: await numberOf(db, event) }),
      ),
    )
    .get(
      '/refunds/payers/:address',
      ...guard.read(
        {
          about: 'The books of one payer, with every transaction',
          params: payerInPath,
          query: payerQuery,
          answer: payer,
          refusals: ['NOT_FOUND'],
          background: true,
        },
        async ({ db, params, query }) => readPayer(db, await numberOf(db, query.event), params.address),
      ),
    )

const numberOf = async (db: Db, asked: number | undefined) => asked ?? (await openEventNumber(db))
