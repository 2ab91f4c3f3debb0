import { Elysia } from 'elysia'
import { secretBox } from '../core/server/secrets.ts'
import { adminsRoutes } from './auth/admins-routes.ts'
import type { AdminAdmission, BrowserCookie } from './auth/caller.ts'
import { adminGuard } from './auth/guard.ts'
import { authenticator } from './auth/login.ts'
import { loginRoutes } from './auth/login-routes.ts'
import { passkeyRoutes, securityRoutes } from './auth/security-routes.ts'
import { sessionRoutes } from './auth/session-routes.ts'
import { contentRoutes } from './content/routes.ts'
import type { Deps } from './deps.ts'
import { drawRoutes } from './draw/routes.ts'
import { eventSettingsRoutes, nextTermsRoutes } from './event/next-routes.ts'
import { eventRoutes } from './event/routes.ts'
import { adminExportRoutes } from './exports/routes.ts'
import { brandingRoutes, houseAdminRoutes } from './house/routes.ts'
import { siteOrigins } from './http/origin.ts'
import { channelRoutes } from './notify/routes.ts'
import { paymentRoutes } from './payment/routes.ts'
import { claimRoutes, prizeDeskRoutes } from './prize/routes.ts'
import { refundRoutes } from './refund/routes.ts'
import { salesFiguresRoutes } from './sales/routes.ts'
import { setupRoutes } from './setup/routes.ts'
import { uploadRoutes } from './upload/routes.ts'

/** The administrator area. */
export const adminRoutes = (
  deps: Deps,
  { admission, cookie }: { admission: AdminAdmission; cookie: BrowserCookie },
) => {
  const guard = adminGuard(deps)
  const box = secretBox(deps.admin)
  const { originOf } = siteOrigins(deps)
  return new Elysia()
    .use(
      loginRoutes(guard, { remember: admission.remember, cookie, originOf }, authenticator({ ...deps, box })),
    )
    .use(sessionRoutes(guard))
    .use(passkeyRoutes(guard, originOf))
    .use(adminsRoutes(guard))
    .use(securityRoutes(deps, guard, box))
    .use(setupRoutes(deps, guard))
    .use(eventRoutes(deps, guard))
    .use(nextTermsRoutes(deps, guard))
    .use(contentRoutes(deps, guard))
    .use(eventSettingsRoutes(deps, guard))
    .use(salesFiguresRoutes(guard))
    .use(houseAdminRoutes(deps, guard))
    .use(brandingRoutes(deps, guard))
    .use(paymentRoutes(deps, guard))
    .use(refundRoutes(deps, guard))
    .use(uploadRoutes(deps, guard))
    .use(adminExportRoutes(deps, guard))
    .use(drawRoutes(deps, guard))
    .use(claimRoutes(deps, guard))
    .use(prizeDeskRoutes(guard))
    .use(channelRoutes(deps, guard, box))
}
