import type { AdminDeps, Deps } from '../../api/deps.ts'
import { createLiveState } from '../../api/live/state.ts'
import { serve } from '../../api/server/serve.ts'
import { bumpVersion } from '../../db/event/terms.ts'
import { loadPublicFacts } from '../../db/report/public.ts'
import { watchVersion } from '../../db/watch.ts'
import { buildApi } from './build-api.ts'
import { openEvent } from './ledger-story.ts'
import { usedDb } from './used-database.ts'

export type OpenApi = Awaited<ReturnType<typeof openApi>>

/** The API with a state that watches a database of its own, in which event 1 is open. */
export async function openApi(changed: Partial<Omit<Deps, 'admin'>> = {}, admin: Partial<AdminDeps> = {}) {
  const database = await usedDb()
  const event = await openEvent(database.db)
  const state = createLiveState({
    load: () => loadPublicFacts(watch.db),
    salesPaused: false,
    onError: () => undefined,
  })
  const watch = watchVersion(database.urlOf('api'), { onBeat: state.noteBeat, onLost: state.markStale })
  const { deps, app, send } = buildApi(
    { db: database.dbOf('api'), url: database.urlOf('api') },
    { state, allowedOrigins: ['https://raffle.example'], ...changed, admin },
  )
  await state.whenLoaded
  const closers: (() => Promise<unknown>)[] = [database.close, watch.stop]

  return {
    ...deps,
    /** The test's own hand; the API itself works with its own login. */
    db: database.db,
    app,
    event,
    databaseUrl: database.url,
    call: send,
    /** Something the public sees was committed. */
    change: () => bumpVersion(database.db),
    /** The same on a port. */
    listen() {
      const server = serve(app, { port: 0, hostname: '127.0.0.1', log: deps.log })
      closers.push(() => server.stop(true))
      return { server, port: server.port as number, url: `http://127.0.0.1:${server.port}` }
    },
    async close(): Promise<void> {
      app.leave()
      state.stop()
      for (const close of closers.reverse()) await close()
    },
  }
}
