import { Elysia } from 'elysia'
import { queueNames } from '../../core/jobs.ts'
import type { AdminGuard } from '../auth/guard.ts'
import type { Deps } from '../deps.ts'
import { queueList } from './schema.ts'

/**
 * Jobs waiting in each queue and since when; null for a queue that does not answer. Only a view of the
 * queues: open work is in the database, and the sweeper adds its jobs again.
 */
export const queueRoutes = ({ jobs }: Pick<Deps, 'jobs'>, guard: AdminGuard) =>
  new Elysia({ prefix: '/api/admin' }).get(
    '/queues',
    ...guard.read({ about: 'What waits in each queue', answer: queueList, background: true }, async () => {
      const [counts, ages] = await Promise.all([jobs.counts?.(), jobs.ages?.()])
      return queueNames.map((queue) => {
        const { waiting, active, delayed } = counts?.[queue] ?? {
          waiting: null,
          active: null,
          delayed: null,
        }
        return { queue, waiting, active, delayed, oldestSeconds: ages?.[queue] ?? null }
      })
    }),
  )
