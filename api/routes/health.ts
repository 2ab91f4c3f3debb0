import { Elysia } from 'elysia'
import type { Deps } from '../deps.ts'

/** `health`: the process answers. `ready`: it has a state to answer from. */
export const healthRoutes = ({ state }: Pick<Deps, 'state'>) =>
  new Elysia()
    .get('/api/health', () => ({ status: 'ok' as const }))
    .get('/api/ready', ({ status }) =>
      state.isLoaded
        ? { status: 'ready' as const, stale: state.isStale }
        : status(503, { status: 'loading' as const }),
    )
