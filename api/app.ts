import { Elysia } from 'elysia'
import type { Deps } from './deps.ts'
import { answerError } from './errors.ts'
import { frontDoor } from './front.ts'
import { hostCheck } from './host.ts'
import { beatEvent, changeEvent, closeEvent } from './live-events.ts'
import { createLiveHub, type LiveHub } from './live-hub.ts'
import { createMetrics } from './metrics.ts'
import { type PublicAnswer, publicAnswers } from './public-answers.ts'
import { adminRoutes } from './routes/admin/index.ts'
import { exportRoutes } from './routes/export.ts'
import { healthRoutes } from './routes/health.ts'
import { ledgerRoutes } from './routes/ledger.ts'
import { liveRoutes } from './routes/live.ts'
import { openapiRoutes } from './routes/openapi.ts'
import { proofRoutes } from './routes/proof.ts'
import { publicRoutes } from './routes/public.ts'
import { ticketRoutes } from './routes/tickets.ts'

type Own = { answers: ReadonlyMap<string, PublicAnswer>; hub: LiveHub; isStopping: () => boolean }

/** Every route; a group of routes is added here. */
const createRoutes = (deps: Deps, { answers, hub, isStopping }: Own) =>
  // Host names may be as short as one letter; Elysia looks for the path further behind unless told.
  new Elysia({ handler: { standardHostname: false } })
    .onError(({ error, request }) => answerError(error, request, deps.log))
    .use(publicRoutes(answers))
    .use(ticketRoutes(deps))
    .use(ledgerRoutes(deps))
    .use(proofRoutes(deps))
    .use(liveRoutes(deps, hub))
    .use(healthRoutes(deps, isStopping))
    .use(openapiRoutes(deps))
    .use(exportRoutes(deps))
    .use(adminRoutes(deps))

export type App = ReturnType<typeof createApp>

/** The whole API on what it depends on; tests call `handle` on it without a port. */
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
  let isStopping = false
  const routes = createRoutes(deps, { answers, hub, isStopping: () => isStopping })
  const isHttps = ownUrls.some((url) => url.startsWith('https:'))

  return {
    routes,
    answers,
    metrics,
    streams: hub,
    handle: frontDoor(deps, { routes, answers, metrics, checkHost, isHttps }),
    /** From now on not ready; every stream is told and ended, and no other opened. */
    leave(): void {
      isStopping = true
      hub.close(closeEvent())
    },
  }
}
