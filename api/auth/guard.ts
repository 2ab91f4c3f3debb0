import { exactKey, isListed } from '../../core/address-list.ts'
import { RaffleError } from '../../core/errors.ts'
import { findSession, type LiveSession, touchSession } from '../../db/admin/sessions.ts'
import { type AuditRow, addAudit, getSettings } from '../../db/admin/settings.ts'
import type { Db } from '../../db/index.ts'
import { tellAudited } from '../../db/notify/tell.ts'
import type { Deps } from '../deps.ts'
import { type Call, visitors } from '../http/client-address.ts'
import { asRaffleError, onFailure, requestIdOf, statusOf } from '../http/errors.ts'
import { type Contract, type RouteContext, routeOf, type Values, valuesOf } from '../http/route.ts'
import { nothing, type Some } from '../http/schema.ts'
import { type Caller, callerOf } from './caller.ts'

/** A call that has passed the address list; `record` fills in its audit row. */
export type OpenCall<B = unknown, Q = unknown, P = unknown> = Values<B, Q, P> &
  Call & {
    db: Db
    address: string
    caller: Caller
    record: (facts: { actor?: string; before?: unknown; after?: unknown }) => void
    setCookie: (cookie: string) => void
  }
export type AdminCall<B = unknown, Q = unknown, P = unknown> = OpenCall<B, Q, P> & {
  admin: LiveSession['admin']
  session: LiveSession
}
type Opened = Omit<OpenCall, keyof Values<unknown, unknown, unknown>>
type Run<C, R> = { run: (call: C) => R | Promise<R> }
type Session = {
  /** Also open to an administrator who still has to set up a required second factor. */
  enrolling?: boolean
  /** Also open to one who came in with a printed password and has to change it first. */
  renewing?: boolean
}
type ReadRules = Session & {
  /** Requests that a dashboard sends by itself do not keep an abandoned session alive. */
  background?: boolean
}
type ActionRules<B, Q, P> = Session & {
  /** Also open to a read-only administrator: it changes nothing but what is his own. */
  own?: boolean
  /** Checks of values that depend on the caller or the address. */
  values?: (call: AdminCall<B, Q, P>) => void | Promise<void>
  /** False, with its reason beside it, where no password, code or passkey of the last 10 minutes is asked for; or for which bodies one is. */
  fresh?: false | ((body: AdminCall<B, Q, P>['body']) => boolean)
  /** Runs before the transaction: for work that must outlive a refusal or is slow, such as a password check. */
  check?: (call: AdminCall<B, Q, P>) => Promise<void>
  /** False for work that waits for others: `db` is then not a transaction. */
  atomic?: boolean
}
/** What is known of a call, from its first check to its audit row. */
type Trace = {
  /** The name of an action; empty for a call that leaves no row. */
  action: string
  /** Empty for a stranger. */
  actor: string
  session?: LiveSession
  call: Opened
  before: unknown
  after: unknown
}

/** Rows of refused strangers in a minute: one of each address, and so many in all. */
const mostStrangers = 100

/** The checks of the administrator area, in the order of docs/spec.md, "Errors". Address list and session
 * come before Elysia reads what was sent; an action and its audit row are one transaction. */
export function adminGuard({ db, addresses, log, limits }: Deps) {
  const { addressOf } = visitors(addresses)
  const rowsOfAddress = limits({ name: 'refused', calls: 1, inSeconds: 60, isSilent: true })
  const rowsOfAll = limits({ name: 'refused all', calls: mostStrangers, inSeconds: 60, isSilent: true })
  const traces = new WeakMap<Request, Trace>()

  /** A read that needs no session and no listed address. */
  const look = <const Path extends string, R>(
    path: Path,
    rules: Contract<undefined, undefined, undefined> & Run<Opened, R>,
  ) => routeOf(path, rules, { asks: 'address' }, async (context) => rules.run(openCall(context)))

  /** A call that only reads, open to every role: a live session from a listed address, no audit row. */
  const read = <const Path extends string, Q extends Some = undefined, P extends Some = undefined, R = never>(
    path: Path,
    rules: Contract<undefined, Q, P> & ReadRules & Run<AdminCall<undefined, Q, P>, R>,
  ) => {
    const before = async (context: RouteContext) => {
      const { tokenHash } = await enter(begin('', context), rules)
      if (!rules.background) await touchSession(db, tokenHash)
    }
    return routeOf(path, rules, { asks: 'session', before }, async (context) => rules.run(ownCall(context)))
  }

  /** A call that changes something: `run` and its audit row are committed together. Needs a full
   * administrator who is fresh, unless its rules say otherwise. */
  const action = <
    const Path extends string,
    B extends Some = undefined,
    Q extends Some = undefined,
    P extends Some = undefined,
    R = never,
  >(
    path: Path,
    rules: Contract<B, Q, P> & { action: string } & ActionRules<B, Q, P> & Run<AdminCall<B, Q, P>, R>,
  ) => {
    const { values, fresh = true, check, atomic = true, own: isOwn = false } = rules
    const expectRole = (session: LiveSession) => isOwn || expectFull(session)
    const before = async (context: RouteContext) => {
      const session = await enter(begin(rules.action, context), rules)
      expectRole(session)
      await touchSession(db, session.tokenHash)
    }
    return routeOf(path, withRules(rules), { asks: 'session', before }, async (context) => {
      const own = ownCall<B, Q, P>(context)
      await values?.(own)
      const asksFresh = typeof fresh === 'function' ? fresh(own.body) : fresh
      if (asksFresh && !own.session.isFresh) throw new RaffleError('REAUTH_REQUIRED')
      await check?.(own)
      // A body may come seconds after its headers, and its administrator may be removed in between.
      const inTurn = async (on: Db) => {
        expectRole(await expectStanding(on, own.caller))
        return written(on, traceOf(context), await rules.run({ ...own, db: on }))
      }
      return atomic ? db.transaction(inTurn) : inTurn(db)
    })
  }

  /** A call without a session, from a listed address, such as the login. */
  const entry = <
    const Path extends string,
    B extends Some = undefined,
    Q extends Some = undefined,
    P extends Some = undefined,
    R = never,
  >(
    path: Path,
    rules: Contract<B, Q, P> & { action: string } & Run<OpenCall<B, Q, P>, R>,
  ) => {
    const before = async (context: RouteContext) => {
      const { call } = begin(rules.action, context)
      expectListed((await getSettings(db)).allowedIps, call.address)
    }
    const contract = { ...rules, body: rules.body ?? (nothing as Some as B) }
    return routeOf(path, contract, { asks: 'address', before }, async (context) => {
      const trace = traceOf(context)
      return written(db, trace, await rules.run({ ...trace.call, ...valuesOf<B, Q, P>(context) }))
    })
  }

  function begin(action: string, context: RouteContext): Trace {
    const call = openCall(context)
    const trace: Trace = { action, actor: '', call, before: null, after: null }
    call.record = (facts) => Object.assign(trace, facts)
    traces.set(context.request, trace)
    if (action) onFailure(context.request, (error) => noteRefusal(trace, error))
    return trace
  }
  const traceOf = ({ request }: RouteContext) => traces.get(request) as Trace

  function ownCall<B, Q, P>(context: RouteContext): AdminCall<B, Q, P> {
    const { call, session } = traceOf(context)
    if (!session) throw unauthenticated()
    return { ...call, ...valuesOf<B, Q, P>(context), admin: session.admin, session }
  }

  function openCall({ request, server, set }: RouteContext): Opened {
    set.headers['cache-control'] = 'no-store'
    const address = addressOf({ request, server })
    return {
      ...{ db, address, server, request, caller: callerOf(request, address) },
      record: () => undefined,
      setCookie: (cookie) => {
        set.headers['set-cookie'] = cookie
      },
    }
  }

  async function enter(trace: Trace, { enrolling, renewing }: Session): Promise<LiveSession> {
    const { caller, address } = trace.call
    const { allowedIps, session } = await findSession(db, caller)
    expectListed(allowedIps, address)
    if (!session) throw unauthenticated()
    Object.assign(trace, { actor: session.admin.username, session })
    // The password comes first: a second factor of somebody who read it in a log would be his.
    if (session.mustChangePassword) {
      if (renewing) return session
      throw new RaffleError('PASSWORD_CHANGE_REQUIRED', { reason: 'first' })
    }
    if (session.isOtpRequired && !session.hasSecondFactor && !enrolling)
      throw new RaffleError('OTP_NOT_SET_UP', { reason: 'account' })
    return session
  }

  async function noteRefusal(trace: Trace, error: unknown): Promise<void> {
    const { actor, session, call } = trace
    const refused = asRaffleError(error)?.code ?? 'INTERNAL'
    try {
      // So that nobody fills the list: a refused stranger is one row an address and minute.
      if (!session) {
        await rowsOfAddress.admit(call.address)
        await rowsOfAll.admitKeys([exactKey('all')])
      }
    } catch {
      return
    }
    // Who only says whose password it is was not that one.
    const isSaid = !session && actor !== ''
    // A refused call changed nothing: the row holds the reason instead of the planned change.
    const row = rowOf(
      { ...trace, ...(isSaid && { actor: '' }), after: { refused, ...(isSaid && { username: actor }) } },
      statusOf(refused),
    )
    await addAudit(db, row).catch((cause) => log.warn({ err: cause }, 'audit row not written'))
  }

  /** What went well and was nobody's, as a logout without a session, is no row. */
  async function written<T>(tx: Db, trace: Trace, result: T): Promise<T> {
    if (trace.actor === '') return result
    const row = rowOf(trace, result instanceof Response ? result.status : 200)
    await addAudit(tx, row)
    await tellAudited(tx, row)
    return result
  }

  return { look, read, action, entry }
}

const rowOf = ({ actor, action, call, before, after }: Trace, status: number): AuditRow => ({
  actor: actor || 'anonymous',
  ...{ action, before, after, outcome: `${status}` },
  ...{ clientAddress: call.address, requestId: requestIdOf(call.request) },
})

export type AdminGuard = ReturnType<typeof adminGuard>

/** Throws READ_ONLY. */
export function expectFull({ admin }: Pick<LiveSession, 'admin'>): void {
  if (admin.readOnly) throw new RaffleError('READ_ONLY')
}

/** The session as the database has it now. Throws UNAUTHENTICATED. */
export async function expectStanding(
  db: Db,
  caller: Pick<Caller, 'tokenHash' | 'browserHash'>,
): Promise<LiveSession> {
  const { session } = await findSession(db, caller)
  if (!session) throw unauthenticated()
  return session
}

/** The description of a call has what its rules refuse; without a body of its own it takes an empty one. */
const withRules = <C extends Contract & { own?: boolean; fresh?: unknown }>(rules: C): C => ({
  ...rules,
  body: rules.body ?? nothing,
  refusals: [
    ...(rules.refusals ?? []),
    ...(rules.own ? [] : (['READ_ONLY'] as const)),
    ...(rules.fresh === false ? [] : (['REAUTH_REQUIRED'] as const)),
  ],
})

const unauthenticated = () => new RaffleError('UNAUTHENTICATED')

function expectListed(allowedIps: readonly string[], address: string): void {
  if (!isListed(allowedIps, address)) throw new RaffleError('IP_NOT_ALLOWED')
}
