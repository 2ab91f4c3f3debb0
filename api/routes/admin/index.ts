import { Elysia } from 'elysia'
import { adminGuard } from '../../auth/guard.ts'
import type { Deps } from '../../deps.ts'
import { sessionRoutes } from './session.ts'

/** The administrator area. */
export const adminRoutes = (deps: Deps) => {
  const guard = adminGuard(deps)
  return new Elysia().use(sessionRoutes(deps, guard))
}
