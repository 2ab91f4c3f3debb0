import { Elysia } from 'elysia'
import { listRefundHistory } from '../../db/event/history.ts'
import { setRefundNotice } from '../../db/refund/mode.ts'
import type { AdminGuard } from '../auth/guard.ts'
import { notice, noticeBody, refundHistory } from './schema.ts'

/** The refund notice for visitors, and the batches so far for administrators. */
export const refundHistoryRoutes = (guard: AdminGuard) =>
  new Elysia({ prefix: '/api/admin' })
    .get(
      '/refund-history',
      ...guard.read({ about: 'Every batch of refunds', answer: refundHistory }, ({ db }) =>
        listRefundHistory(db),
      ),
    )
    .post(
      '/raffle/refund-notification',
      ...guard.action(
        'refund-notification',
        {
          about: 'Opens or closes the notice of refunds on the public page',
          body: noticeBody,
          answer: notice,
          refusals: ['SALES_OPEN', 'MIN_REACHED'],
        },
        async ({ db, body: { active = true }, record }) => {
          const before = await setRefundNotice(db, active)
          record({ before: { active: before }, after: { active } })
          return { active }
        },
      ),
    )
