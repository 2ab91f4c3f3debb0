import { Elysia } from 'elysia'
import { setupOf } from '../../core/admin/setup.ts'
import { readSetup } from '../../db/admin/settings.ts'
import type { AdminGuard } from '../auth/guard.ts'
import { type Deps, isLocalMode } from '../deps.ts'

/** The first set-up as a list. Nothing is ticked off here: a step is done when it is done. */
export const setupRoutes = (deps: Pick<Deps, 'beacon'>, guard: AdminGuard) => {
  const isLocal = isLocalMode(deps)
  return new Elysia({ prefix: '/api/admin' }).get(
    ...guard.read('/setup', {
      about: 'What of the first set-up is done',
      more: 'For the administrator who asks: password and second factor are those of this one.',
      background: true,
      run: async ({ db, admin }) => {
        const { isDone, isFirst } = await readSetup(db, admin.id)
        return { isLocal, steps: setupOf(isDone, { isLocal, isFirst }) }
      },
    }),
  )
}
