import { type AnyElysia, Elysia } from 'elysia'
import { secretBox } from '../core/server/secrets.ts'
import { adminsRoutes } from './auth/admins-routes.ts'
import { adminAdmission, browserCookie } from './auth/caller.ts'
import { adminGuard } from './auth/guard.ts'
import { authenticator } from './auth/login.ts'
import { loginRoutes } from './auth/login-routes.ts'
import { passkeyRoutes, securityRoutes } from './auth/security-routes.ts'
import { sessionRoutes } from './auth/session-routes.ts'
import { pageRoutes } from './content/pages.ts'
import { contentRoutes, publicContentRoutes } from './content/routes.ts'
import { type Deps, isLocalMode } from './deps.ts'
import { beaconRoutes, drawRoutes, proofRoutes } from './draw/routes.ts'
import { eventSettingsRoutes, nextTermsRoutes } from './event/next-routes.ts'
import { eventRoutes, salesFiguresRoutes } from './event/routes.ts'
import { adminExportRoutes, exportRoutes } from './exports/routes.ts'
import { brandingRoutes, houseAdminRoutes, houseRoutes } from './house/routes.ts'
import { answerError, noteFailure } from './http/errors.ts'
import { hostCheck, siteOrigins } from './http/origin.ts'
import { createLiveHub } from './live/hub.ts'
import { beatEvent, changeEvent, closeEvent, healthRoutes, liveAnswer, liveRoutes } from './live/routes.ts'
import { channelRoutes } from './notify/routes.ts'
import { ledgerRoutes, paymentRoutes } from './payment/ledger-routes.ts'
import { ticketRoutes } from './payment/routes.ts'
import { claimRoutes, prizeDeskRoutes, publicPrizeRoutes } from './prize/routes.ts'
import { refundRoutes } from './refund/routes.ts'
import { createGateway } from './server/gateway.ts'
import { createMetrics } from './server/metrics.ts'
import { openapiRoutes } from './server/openapi.ts'
import { publicAnswers, publicRoutes } from './server/public-answers.ts'
import { uploadRoutes } from './upload/routes.ts'

export type App = ReturnType<typeof createApp>

/** The whole API, built on its dependencies; tests call `handle` without a port. */
export function createApp(deps: Deps) {
  const { state, allowedOrigins, admin } = deps
  const ownUrls = [...allowedOrigins, ...(admin.publicApiUrl ? [admin.publicApiUrl] : [])]
  const checkHost = hostCheck(ownUrls)
  const hub = createLiveHub(() => {
    const beat = state.beat()
    return beat && beatEvent(beat)
  }, deps.streamLimits)
  state.subscribe({
    change: (change) => hub.broadcast(changeEvent(change)),
    beat: (beat) => hub.broadcast(beatEvent(beat)),
  })
  const metrics = createMetrics(state, hub)
  const answers = publicAnswers(state, metrics, checkHost)
  const isHttps = ownUrls.some((url) => url.startsWith('https:'))
  const live = liveAnswer({ state, hub, addresses: deps.addresses, checkHost, isHttps })
  let isStopping = false
  const cookie = browserCookie(isLocalMode(deps))
  const admission = adminAdmission(deps, cookie)
  const guard = adminGuard(deps)
  const box = secretBox(admin)
  const login = authenticator({ ...deps, box })
  const { originOf } = siteOrigins(deps)
  // Host names may be as short as one letter; by default Elysia looks for the path further behind.
  const routes = new Elysia({ handler: { standardHostname: false }, normalize: false })
    .onError(async ({ error, request }) => {
      await noteFailure(request, error)
      return answerError(error, request, deps.log)
    })
    .use(publicRoutes(answers))
    .use(ticketRoutes(deps))
    .use(ledgerRoutes(deps))
    .use(proofRoutes(deps))
    .use(publicPrizeRoutes(deps))
    .use(publicContentRoutes(deps))
    .use(houseRoutes(deps))
    .use(beaconRoutes(deps))
    .use(liveRoutes(live))
    .use(healthRoutes(deps, () => isStopping))
    .use(openapiRoutes(deps, (): AnyElysia => routes))
    .use(exportRoutes(deps))
    .use(pageRoutes(deps))
    // Nested: all in one chain is too deep for the types.
    .use(
      new Elysia()
        .use(loginRoutes(guard, { ...admission, cookie, originOf }, login))
        .use(sessionRoutes(guard))
        .use(passkeyRoutes(guard, originOf))
        .use(adminsRoutes(guard))
        .use(securityRoutes(deps, guard, box))
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
        .use(channelRoutes(deps, guard, box)),
    )

  return {
    routes,
    answers,
    live,
    metrics,
    streams: hub,
    handle: createGateway(deps, { routes, answers, metrics, checkHost, isHttps, admit: admission.admit }),
    /** Reports not ready from now on, ends every stream with a close event and opens no new one. */
    leave(): void {
      isStopping = true
      hub.close(closeEvent())
    },
  }
}
