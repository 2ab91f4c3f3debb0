import { Elysia } from 'elysia'
import { RaffleError } from '../../core/errors.ts'
import type { Deps } from '../deps.ts'
import { route } from '../http/route.ts'
import { health, readiness } from '../live/schema.ts'
import { notLoaded } from '../live/state.ts'

/** `health`: the process answers. `ready`: it has loaded a state and is not shutting down. */
export const healthRoutes = ({ state }: Pick<Deps, 'state'>, isStopping: () => boolean) =>
  new Elysia()
    .get(
      '/api/health',
      ...route({ about: 'The process answers', answer: health }, () => ({ status: 'ok' as const })),
    )
    .get(
      '/api/ready',
      ...route(
        {
          about: 'It has a state to answer from and is not about to leave',
          answer: readiness,
          refusals: ['BUSY'],
        },
        () => {
          if (isStopping()) throw new RaffleError('BUSY', { reason: 'restart' })
          if (!state.isLoaded) throw notLoaded()
          return { status: 'ready' as const, stale: state.isStale, version: state.version }
        },
      ),
    )
