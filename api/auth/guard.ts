import { isListed } from '../../core/address-list.ts'
import { RaffleError } from '../../core/errors.ts'
import { batch, singleFlight } from '../../core/server/concurrency.ts'
import { type AuditRow, addAudit, addAudits } from '../../db/admin/audit.ts'
import { findSession, type LiveSession, touchSession } from '../../db/admin/sessions.ts'
import type { Db } from '../../db/index.ts'
import { isDatabaseOutage } from '../../db/outage.ts'
import type { Deps } from '../deps.ts'
import { readObject } from '../http/body.ts'
import { clientAddress } from '../http/client-address.ts'
import { asRaffleError, statusOfError } from '../http/errors.ts'
import { receivedAt } from '../http/received-at.ts'
import { requestIdOf } from '../http/request-id.ts'
import { refusalCounter } from './refusals.ts'
import { bearerHash } from './token.ts'

/** What of a route's context the guard needs. */
export type RouteContext = {
  request: Request
  server: { requestIP: (request: Request) => { address: string } | null } | null
  params: Record<string, string>
  query: Record<string, string | undefined>
  set: { headers: Record<string, string | number | undefined> }
}

/** A call that has passed the address list; `record` says what the audit row tells. */
export type OpenCall<B> = {
  db: Db
  body: B
  address: string
  request: Request
  params: Record<string, string>
  query: Record<string, string | undefined>
  record: (facts: { actor?: string; before?: unknown; after?: unknown }) => void
}
/** A call of an administrator with a live session. */
export type AdminCall<B> = OpenCall<B> & { admin: LiveSession['admin']; session: LiveSession }

type Body<B> = {
  /** Checks syntax, types and values of the JSON body; left out, the body is not looked at. */
  body?: (fields: Record<string, unknown>) => B | Promise<B>
}
type ActionRules<B> = {
  /** As in Body; `admin` for what depends on who asks. */
  body?: (fields: Record<string, unknown>, admin: LiveSession['admin'], request: Request) => B | Promise<B>
  /** Asks for a password or code given in the last 10 minutes, always or for what this body changes. */
  fresh?: boolean | ((call: AdminCall<B>) => boolean | Promise<boolean>)
  /** No body at all counts as `{}`. */
  bodyOptional?: boolean
  /** Runs before the transaction, for what must outlive a refusal or takes long: comparing a password. */
  check?: (call: AdminCall<B>) => Promise<void>
  /** False for work that waits for others: `db` is then no transaction. */
  atomic?: boolean
  /** Open to an administrator who has yet to set up a second factor that is asked for. */
  enrolling?: boolean
}

type GuardDeps = Pick<Deps, 'db' | 'addresses' | 'log'>

/**
 * The doors of the administrator area, in the order of docs/spec.md, "Errors": address list, session, syntax,
 * type, value, fresh authentication, then the route's own look at the state. They wrap the handler instead of
 * running before it, because an action and its audit row are one transaction and a refusal leaves its row too.
 */
export function adminGuard({ db, addresses, log }: GuardDeps) {
  const addressOf = clientAddress(addresses)
  const refusals = refusalCounter()
  // 200 logins at once are some questions to the database, not 400 beside the calls of visitors.
  const allowedIps = singleFlight(async () => (await findSession(db, undefined)).allowedIps)
  const noteRefusal = batch(async (rows: AuditRow[]) => {
    const toLog = (cause: unknown) => log.warn({ err: cause }, 'audit row not written')
    await addAudits(db, rows).catch(async (cause) => {
      if (rows.length === 1 || isDatabaseOutage(cause)) return toLog(cause)
      // One that cannot be stored takes no other with it.
      for (const row of rows) await addAudit(db, row).catch(toLog)
    })
    return rows
  })

  /** A call that only reads: a live session from a listed address, no audit row. */
  const read =
    <T>(
      run: (call: AdminCall<undefined>) => T | Promise<T>,
      { background = false, enrolling = false } = {},
    ) =>
    async (context: RouteContext): Promise<T> => {
      const call = openCall(context)
      const session = await enter(call, enrolling)
      // What a dashboard asks for by itself does not keep an abandoned session alive.
      if (!background) await touchSession(db, session.tokenHash)
      return run({ ...call, admin: session.admin, session })
    }

  /** A call that changes something: `run` and its one audit row are committed together. */
  const action =
    <B = undefined, T = unknown>(
      name: string,
      { body, bodyOptional = false, fresh = false, check, atomic = true, enrolling = false }: ActionRules<B>,
      run: (call: AdminCall<B>) => T | Promise<T>,
    ) =>
    (context: RouteContext): Promise<T> =>
      audited(name, context, async (call, trace) => {
        const session = await enter(call, enrolling)
        trace.actor = session.admin.username
        await touchSession(db, session.tokenHash)
        const fields = async () => (bodyOptional && isBare(call.request) ? {} : readObject(call.request))
        const parsed = body ? await body(await fields(), session.admin, call.request) : (undefined as B)
        const own: AdminCall<B> = { ...call, body: parsed, admin: session.admin, session }
        const mustBeFresh = typeof fresh === 'function' ? await fresh(own) : fresh
        if (mustBeFresh && !session.isFresh)
          throw new RaffleError('REAUTH_REQUIRED', '보안을 위해 비밀번호를 다시 입력해주세요.')
        await check?.(own)
        if (atomic) return db.transaction(async (tx) => written(tx, trace, await run({ ...own, db: tx })))
        return written(db, trace, await run(own))
      })

  /** A call without a session, from a listed address, such as the login. */
  const entry =
    <B = undefined, T = unknown>(
      name: string,
      { body }: Body<B>,
      run: (call: OpenCall<B>) => T | Promise<T>,
    ) =>
    (context: RouteContext): Promise<T> =>
      audited(name, context, async (call, trace) => {
        expectListed(await allowedIps(receivedAt(call.request)), call.address)
        const parsed = body ? await body(await readObject(call.request)) : (undefined as B)
        return written(db, trace, await run({ ...call, body: parsed }))
      })

  type Trace = { actor: string; action: string; call: OpenCall<undefined>; before: unknown; after: unknown }

  function openCall({ request, server, params, query, set }: RouteContext): OpenCall<undefined> {
    set.headers['cache-control'] = 'no-store'
    const address = addressOf(request, server?.requestIP(request)?.address)
    return { db, body: undefined, address, request, params, query, record: () => undefined }
  }

  async function enter(call: OpenCall<undefined>, enrolling: boolean): Promise<LiveSession> {
    const { allowedIps, session } = await findSession(db, bearerHash(call.request))
    expectListed(allowedIps, call.address)
    if (!session) throw new RaffleError('UNAUTHENTICATED', '인증이 필요합니다. 다시 로그인해주세요.')
    if (session.mustEnrol && !enrolling)
      throw new RaffleError('OTP_NOT_SET_UP', '먼저 2단계 인증(OTP)을 설정해주세요.')
    return session
  }

  async function audited<T>(
    action: string,
    context: RouteContext,
    run: (call: OpenCall<undefined>, trace: Trace) => Promise<T>,
  ): Promise<T> {
    const call = openCall(context)
    refusals.check(call.address)
    const trace: Trace = { actor: 'anonymous', action, call, before: null, after: null }
    call.record = (facts) => Object.assign(trace, facts)
    try {
      return await run(call, trace)
    } catch (error) {
      const status = statusOfError(error)
      if (trace.actor === 'anonymous') refusals.note(call.address)
      await noteRefusal(rowOf(trace, String(status), { refused: asRaffleError(error)?.code ?? 'INTERNAL' }))
      throw error
    }
  }

  async function written<T>(tx: Db, trace: Trace, result: T): Promise<T> {
    await addAudit(tx, rowOf(trace, String(result instanceof Response ? result.status : 200), {}))
    return result
  }

  return { read, action, entry, addressOf }

  function rowOf(trace: Trace, outcome: string, more: Record<string, unknown>): AuditRow {
    const { actor, action, call, before, after } = trace
    const isRefused = Object.keys(more).length > 0
    return {
      actor,
      action,
      clientAddress: call.address,
      outcome,
      before,
      // What was refused changed nothing: the row tells why instead of what would have been.
      after: isRefused ? more : after,
      requestId: requestIdOf(call.request),
    }
  }
}

export type AdminGuard = ReturnType<typeof adminGuard>

const isBare = ({ body, headers }: Request): boolean => body === null || headers.get('content-length') === '0'

function expectListed(allowedIps: readonly string[], address: string): void {
  if (!isListed(allowedIps, address)) throw new RaffleError('IP_NOT_ALLOWED', '허용되지 않은 IP 주소입니다.')
}
