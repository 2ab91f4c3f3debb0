import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import pino from 'pino'
import { createApp } from '../../api/app.ts'
import type { AdminDeps, Deps } from '../../api/deps.ts'
import { createLimits } from '../../api/http/limits.ts'
import { createLiveState } from '../../api/live/state.ts'
import { unitsOf } from '../../core/money.ts'
import type { Db } from '../../db/index.ts'
import { loadPublicFacts } from '../../db/report/public.ts'
import { envTerms } from './ledger-story.ts'

/** Lets the site's server speak for a visitor, so that a test is as many visitors as it likes. */
export const siteProxyToken = 'test-site'

type Changed = Omit<Partial<Deps>, 'admin'> & { admin?: Partial<AdminDeps> }

/** The API on a database, without a queue and a log, with the terms of a test's event; `changed` replaces the rest. */
export function buildApi({ db, url }: { db: Db; url: string }, { admin, ...changed }: Changed = {}) {
  const { clock, log = pino({ level: 'silent' }) } = changed
  const state =
    changed.state ??
    createLiveState({
      load: () => loadPublicFacts(db),
      salesPaused: false,
      clock,
      onError: (err) => log.warn({ err }, 'public state not loaded'),
    })
  const deps: Deps = {
    db,
    state,
    log,
    jobs: { enqueue: async () => true },
    addresses: { trustedProxies: [], siteProxyToken },
    limits: createLimits(),
    allowedOrigins: [],
    siteDir: '/nowhere',
    ...changed,
    admin: {
      secretKey: 'a test secret that is long enough',
      databaseUrl: url,
      // What lies there has a name by its hash.
      storageUrl: pathToFileURL(join(tmpdir(), 'blockdraw-uploads')).href,
      publicApiUrl: undefined,
      terms: envTerms,
      pinnedWallet: undefined,
      refunds: { minUnits: unitsOf(10), isPaused: false },
      ...admin,
    },
  }
  return { deps, state, app: createApp(deps) }
}
