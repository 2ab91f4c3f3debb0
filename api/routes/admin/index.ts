import { Elysia } from 'elysia'
import { adminGuard } from '../../auth/guard.ts'
import { authenticator } from '../../auth/login.ts'
import { passwordCheck } from '../../auth/password-check.ts'
import { secretBox } from '../../auth/secret-box.ts'
import type { Deps } from '../../deps.ts'
import { claimRoutes } from '../claim.ts'
import { drawRoutes } from '../draw.ts'
import { auditRoutes } from './audit.ts'
import { eventRoutes } from './event.ts'
import { adminExportRoutes } from './exports.ts'
import { loginRoutes } from './login.ts'
import { moneyRoutes } from './money.ts'
import { prizeRoutes } from './prize.ts'
import { queueRoutes } from './queues.ts'
import { refundRoutes } from './refunds.ts'
import { securityRoutes } from './security.ts'
import { sessionRoutes } from './session.ts'
import { uploadRoutes } from './upload.ts'

/** The administrator area. */
export const adminRoutes = (deps: Deps) => {
  const guard = adminGuard(deps)
  const box = secretBox(deps.admin.secretKey)
  return new Elysia()
    .use(loginRoutes(guard, authenticator({ db: deps.db, comparePassword: passwordCheck(), box })))
    .use(sessionRoutes(deps, guard))
    .use(securityRoutes(guard, box))
    .use(eventRoutes(deps, guard))
    .use(prizeRoutes(guard, ownOrigins(deps)))
    .use(moneyRoutes(deps, guard))
    .use(refundRoutes(deps, guard))
    .use(auditRoutes(guard))
    .use(queueRoutes(deps, guard))
    .use(uploadRoutes(deps, guard))
    .use(adminExportRoutes(deps, guard))
    .use(drawRoutes(deps, guard))
    .use(claimRoutes(deps, guard))
}

/** Where images of ours may be named by their whole address. */
const ownOrigins = ({ admin: { publicApiUrl }, allowedOrigins }: Deps): string[] => [
  ...allowedOrigins,
  ...(publicApiUrl ? [publicApiUrl.replace(/\/$/, '')] : []),
]
