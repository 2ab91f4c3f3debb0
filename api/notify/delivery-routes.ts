import { Elysia } from 'elysia'
import { RaffleError } from '../../core/errors.ts'
import { getDelivery, listDeliveries, retryDelivery } from '../../db/notify/deliveries.ts'
import type { AdminGuard } from '../auth/guard.ts'
import { delivery, deliveryInPath, deliveryList, deliveryQuery } from './schema.ts'

/** What became of each message, and that it is tried again. */
export const deliveryRoutes = (guard: AdminGuard) =>
  new Elysia({ prefix: '/api/admin' })
    .get(
      '/deliveries',
      ...guard.read(
        {
          about: 'Messages to channels, the newest 100 first',
          more: 'The next page starts at the id of the last one.',
          query: deliveryQuery,
          answer: deliveryList,
          background: true,
        },
        ({ db, query }) => listDeliveries(db, query),
      ),
    )
    .post(
      '/deliveries/:id/retry',
      ...guard.action(
        'delivery.retry',
        {
          about: 'Tries a message again, for three days from now',
          params: deliveryInPath,
          answer: delivery,
          refusals: ['NOT_FOUND', 'ALREADY_PROCESSED'],
        },
        async ({ db, params: { id }, record }) => {
          const before = await getDelivery(db, id)
          if (!before) throw new RaffleError('NOT_FOUND', '해당 알림이 없습니다.')
          if (!(await retryDelivery(db, id)))
            throw new RaffleError(
              'ALREADY_PROCESSED',
              before.state === 'dropped' ? '삭제된 채널의 알림입니다.' : '이미 전달된 알림입니다.',
            )
          record({
            before: { id, state: before.state, attempts: before.attempts, problem: before.problem },
            after: { id, state: 'waiting' },
          })
          // The worker enqueues what is due within half a second: the job would come before this commit.
          return { ...before, state: 'waiting' as const, attempts: 0, problem: null }
        },
      ),
    )
