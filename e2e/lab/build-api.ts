import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import pino from 'pino'
import { createApp } from '../../api/app.ts'
import type { AdminDeps, Deps } from '../../api/deps.ts'
import { createLimits } from '../../api/http/limits.ts'
import { createLiveState } from '../../api/live/state.ts'
import { quicknet } from '../../core/draw/beacon.ts'
import { unitsOf } from '../../core/money.ts'
import { defaultFormHosts } from '../../core/prize/claim.ts'
import type { Db } from '../../db/index.ts'
import { loadPublicFacts } from '../../db/report/public.ts'
import { envTerms } from './ledger-story.ts'

/** Lets the site's server speak for a visitor, so that a test is as many visitors as it likes. */
export const siteProxyToken = 'test-site'

export type Changed = Omit<Partial<Deps>, 'admin'> & { admin?: Partial<AdminDeps> }
export type CallOptions = {
  body?: unknown
  token?: string | undefined
  from?: string | undefined
  headers?: Record<string, string>
}

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
    beacon: quicknet,
    siteDir: '/nowhere',
    ...changed,
    admin: {
      secretKey: 'a test secret that is long enough',
      databaseUrl: url,
      // What lies there has a name by its hash.
      storageUrl: pathToFileURL(join(tmpdir(), 'blockdraw-uploads')).href,
      formHosts: defaultFormHosts,
      publicApiUrl: undefined,
      terms: envTerms,
      pinnedWallet: undefined,
      refunds: { minUnits: unitsOf(10), isPaused: false },
      ...admin,
    },
  }
  const app = createApp(deps)

  /** One call without a port, as `from` makes it through the site's server; what is no text and no bytes is sent as JSON. */
  async function send(
    method: string,
    path: string,
    { body, token, from = '10.1.2.3', headers }: CallOptions = {},
  ): Promise<Response> {
    const isRaw = typeof body === 'string' || body instanceof Uint8Array
    return app.handle(
      new Request(`http://localhost${path}`, {
        method,
        headers: {
          ...{ 'x-site-proxy': siteProxyToken, 'x-forwarded-for': from },
          ...(body !== undefined && !isRaw && { 'content-type': 'application/json' }),
          ...(token && { authorization: `Bearer ${token}` }),
          ...headers,
        },
        ...(body !== undefined && { body: isRaw ? (body as BodyInit) : JSON.stringify(body) }),
      }),
    )
  }
  /** Status and body of one call. */
  async function call(method: string, path: string, options: CallOptions = {}) {
    const response = await send(method, path, options)
    const text = await response.text()
    // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
    const body = (text ? JSON.parse(text) : undefined) as any
    return { status: response.status, body, headers: response.headers }
  }
  return { deps, state, app, send, call }
}
