import { isListed } from '../../core/address-list.ts'
import { type AdminAction, type AdminRole, actionRoles, isAtLeast } from '../../core/admin/roles.ts'
import { type AskedCall, secondOf } from '../../core/admin/second-person.ts'
import { RaffleError } from '../../core/errors.ts'
import { type AuditRow, addAudit } from '../../db/admin/audit.ts'
import { findSession, type LiveSession, touchSession } from '../../db/admin/sessions.ts'
import type { Db } from '../../db/index.ts'
import type { Deps } from '../deps.ts'
import { clientAddress } from '../http/client-address.ts'
import type { Contract, Some } from '../http/contract.ts'
import { asRaffleError, statusOfError } from '../http/errors.ts'
import { requestIdOf } from '../http/request-id.ts'
import {
  type Answered,
  decodeBody,
  type RouteContext,
  readBody,
  readValues,
  routeOf,
  type Values,
} from '../http/route.ts'
import type { Decoded } from '../http/schema.ts'
import { type Caller, callerOf } from './caller.ts'
import type { KnownCallers } from './known-callers.ts'
import type { RefusalCounts } from './refusal-counts.ts'
import { secondPerson } from './second-person.ts'

/** A call that has passed the address list; `record` fills in its audit row. */
export type OpenCall<B = unknown, Q = unknown, P = unknown> = Values<B, Q, P> & {
  db: Db
  address: string
  /** Of the connection: what a proxy tells is believed by it. */
  peer: string | undefined
  caller: Caller
  request: Request
  record: (facts: { actor?: string; before?: unknown; after?: unknown }) => void
}
/** A call of an administrator with a live session. */
export type AdminCall<B = unknown, Q = unknown, P = unknown> = OpenCall<B, Q, P> & {
  admin: LiveSession['admin']
  session: LiveSession
}
/** A call of an action: core/admin/second-person.ts has when it needs the word of a second administrator. */
export type ActionCall<B = unknown, Q = unknown, P = unknown> = AdminCall<B, Q, P> & {
  second: Pick<ReturnType<typeof secondPerson>, 'want' | 'wantIfAny' | 'expect'>
}

type Session = {
  /** Also open to an administrator who still has to set up a required second factor. */
  enrolling?: boolean
  /** Also open to one who came in with a printed password and has to change it first. */
  renewing?: boolean
}
type Background = {
  /** Requests that a dashboard sends by itself do not keep an abandoned session alive. */
  background?: boolean
}
type ActionRules<B, Q, P> = Session & {
  /** Checks of values that depend on the caller or the address. */
  values?: (call: AdminCall<B, Q, P>) => void | Promise<void>
  /** Requires a password or code entered in the last 10 minutes, always or depending on this body. */
  fresh?: boolean | ((call: AdminCall<B, Q, P>) => boolean | Promise<boolean>)
  /**
   * Runs before the transaction: for work that must outlive a refusal or is slow, such as a password check.
   */
  check?: (call: AdminCall<B, Q, P>) => Promise<void>
  /**
   * False for work that waits for others: `db` is then not a transaction, and the action itself calls `second.expect`.
   */
  atomic?: boolean
}

/** Who has told no name that is known: no name is empty. */
const stranger = ''

type GuardDeps = Pick<Deps, 'db' | 'addresses' | 'log'> & {
  known: KnownCallers
  admin: Pick<Deps['admin'], 'twoPerson'>
}

/**
 * The checks of the administrator area, in the order of docs/spec.md, "Errors": address list, session, role,
 * syntax, type, value, fresh authentication, then the route's own check of the state. They wrap the handler
 * instead of running before it, because an action and its audit row are one transaction and a refusal also
 * adds its row. Refusals of strangers, who have no session, are counted instead.
 */
export function adminGuard(
  { db, addresses, log, known, admin: { twoPerson = false } }: GuardDeps,
  strangers: RefusalCounts,
) {
  const addressOf = clientAddress(addresses)

  /** A read that needs no session and no listed address. */
  const look = <A extends Some = undefined>(
    contract: Contract<undefined, undefined, undefined, A>,
    run: (call: Opened) => Answered<A>,
  ) => routeOf(contract, 'admin', async (context) => run(openCall(context)))

  /** A call that only reads, open to every role: a live session from a listed address, no audit row. */
  const read = <Q extends Some = undefined, P extends Some = undefined, A extends Some = undefined>(
    rules: Contract<undefined, Q, P, A> & Session & Background,
    run: (call: AdminCall<undefined, Q, P>) => Answered<A>,
  ) =>
    routeOf(rules, 'admin', async (context) => {
      const call = openCall(context)
      const session = await enter(call, rules)
      if (!rules.background) await touchSession(db, session.tokenHash)
      const values = readValues(rules, context) as Values<undefined, Q, P>
      return run({ ...call, ...values, admin: session.admin, session })
    })

  /**
   * A call that changes something: `run` and its one audit row are committed together. core/admin/roles.ts has the
   * role that it needs.
   */
  const action = <
    B extends Some = undefined,
    Q extends Some = undefined,
    P extends Some = undefined,
    A extends Some = undefined,
  >(
    name: AdminAction,
    rules: Contract<B, Q, P, A> & ActionRules<B, Q, P>,
    run: (call: ActionCall<B, Q, P>) => Answered<A>,
  ) =>
    routeOf(withSecond(name, rules), 'admin', (context) =>
      audited(name, context, async (call, trace) => {
        const { values, fresh = false, check, atomic = true } = rules
        const session = await enter(call, rules, trace)
        expectRole(session.admin, actionRoles[name])
        await touchSession(db, session.tokenHash)
        const { sent, ...read } = await readCall(rules, call, context)
        const own = { ...read, admin: session.admin, session }
        await values?.(own)
        const mustBeFresh = typeof fresh === 'function' ? await fresh(own) : fresh
        if (mustBeFresh && !session.isFresh)
          throw new RaffleError('REAUTH_REQUIRED', '보안을 위해 비밀번호를 다시 입력해주세요.')
        await check?.(own)
        // A body may come seconds after its headers, and its administrator may be removed in between.
        const second = secondPerson({
          ...{ isOn: twoPerson, action: name, adminId: session.admin.id },
          request: asked(call.request, rules.body && sent),
          values: { body: own.body, query: own.query, params: own.params },
        })
        const inTurn = async (on: Db) => {
          await expectStanding(on, session, actionRoles[name])
          if (atomic) await second.begin(on)
          const result = await run({ ...own, db: on, second })
          if (atomic) await second.end(on, trace)
          return written(on, trace, result)
        }
        return (atomic ? db.transaction(inTurn) : inTurn(db)).catch((error) => second.ask(db, error))
      }),
    )

  /** A call without a session, from a listed address, such as the login. */
  const entry = <
    B extends Some = undefined,
    Q extends Some = undefined,
    P extends Some = undefined,
    A extends Some = undefined,
  >(
    name: string,
    contract: Contract<B, Q, P, A>,
    run: (call: OpenCall<B, Q, P>) => Answered<A>,
  ) =>
    routeOf(contract, 'admin', (context) =>
      audited(name, context, async (call, trace) => {
        expectListed((await known.current()).allowedIps, call.address)
        const { sent: _, ...own } = await readCall(contract, call, context)
        return written(db, trace, await run(own))
      }),
    )

  /** Syntax, types and values of a call, in this order; `sent` is its body as it came in. */
  async function readCall<B extends Some, Q extends Some, P extends Some, A extends Some>(
    contract: Contract<B, Q, P, A>,
    call: Opened,
    context: RouteContext,
  ): Promise<OpenCall<B, Q, P> & { sent: unknown }> {
    const sent = await readBody(contract, call.request)
    const body = decodeBody(contract, sent) as Decoded<B>
    return { ...call, ...(readValues(contract, context) as Values<B, Q, P>), body, sent }
  }

  type Opened = Omit<OpenCall, keyof Values<unknown, unknown, unknown>>
  type Trace = {
    actor: string
    hasSession: boolean
    action: string
    call: Opened
    before: unknown
    after: unknown
  }

  function openCall({ request, server, set }: RouteContext): Opened {
    set.headers['cache-control'] = 'no-store'
    const peer = server?.requestIP(request)?.address
    const address = addressOf(request, peer)
    return { db, address, peer, caller: callerOf(request, address), request, record: () => undefined }
  }

  async function enter(call: Opened, { enrolling, renewing }: Session, trace?: Trace): Promise<LiveSession> {
    const { allowedIps, session } = await known.sessionOf(call.caller)
    expectListed(allowedIps, call.address)
    if (!session) throw unauthenticated()
    if (trace) Object.assign(trace, { actor: session.admin.username, hasSession: true })
    // The password comes first: a second factor of somebody who read it in a log would be his.
    if (session.mustChangePassword) {
      if (renewing) return session
      throw new RaffleError(
        'PASSWORD_CHANGE_REQUIRED',
        '일회용 비밀번호로 로그인했습니다. 먼저 새 비밀번호로 바꿔주세요.',
      )
    }
    if (session.mustEnrol && !enrolling)
      throw new RaffleError('OTP_NOT_SET_UP', '먼저 2단계 인증(OTP)을 설정해주세요.')
    return session
  }

  async function audited<T>(
    action: string,
    context: RouteContext,
    run: (call: Opened, trace: Trace) => Promise<T>,
  ): Promise<T> {
    const call = openCall(context)
    const trace: Trace = { actor: stranger, hasSession: false, action, call, before: null, after: null }
    call.record = (facts) => Object.assign(trace, facts)
    try {
      return await run(call, trace)
    } catch (error) {
      await noteRefusal(trace, error)
      throw error
    }
  }

  async function noteRefusal(trace: Trace, error: unknown): Promise<void> {
    const { call, action, actor, hasSession } = trace
    const { code = 'INTERNAL', data } = asRaffleError(error) ?? {}
    const status = statusOfError(error)
    const approval = data?.approvalId
    if (hasSession)
      return addAudit(
        db,
        rowOf(trace, String(status), { refused: code, ...(approval !== undefined && { approval }) }),
      ).catch((cause) => log.warn({ err: cause }, 'audit row not written'))
    strangers.note({
      clientAddress: call.address,
      action,
      code,
      status,
      requestId: requestIdOf(call.request),
      username: actor === stranger ? undefined : actor,
    })
  }

  /** What went well and was nobody's, as a logout without a session, is no row. */
  async function written<T>(tx: Db, trace: Trace, result: T): Promise<T> {
    if (trace.actor === stranger) return result
    await addAudit(tx, rowOf(trace, String(result instanceof Response ? result.status : 200), {}))
    return result
  }

  return { look, read, action, entry }

  function rowOf(trace: Trace, outcome: string, more: Record<string, unknown>): AuditRow {
    const { actor, action, call, before, after } = trace
    const isRefused = Object.keys(more).length > 0
    return {
      actor,
      action,
      clientAddress: call.address,
      outcome,
      before,
      // A refused call changed nothing: the row holds the reason instead of the planned change.
      after: isRefused ? more : after,
      requestId: requestIdOf(call.request),
    }
  }
}

export type AdminGuard = ReturnType<typeof adminGuard>

/** The role is read with the session at every call: a new one counts at once, in every process. Throws FORBIDDEN_ROLE. */
export function expectRole({ role }: { role: AdminRole }, least: AdminRole): void {
  if (!isAtLeast(role, least))
    throw new RaffleError('FORBIDDEN_ROLE', '이 계정의 권한으로는 할 수 없는 작업입니다.')
}

/** The session lives and its role is enough, as the database has it now. Throws UNAUTHENTICATED, FORBIDDEN_ROLE. */
export async function expectStanding(
  db: Db,
  { tokenHash }: Pick<LiveSession, 'tokenHash'>,
  least: AdminRole,
): Promise<void> {
  const { session } = await findSession(db, tokenHash)
  if (!session) throw unauthenticated()
  expectRole(session.admin, least)
}

/** The description of a call has what core/admin/second-person.ts decides. */
const withSecond = <C extends Pick<Contract, 'refusals'>>(name: AdminAction, contract: C): C =>
  secondOf(name)
    ? { ...contract, refusals: [...(contract.refusals ?? []), 'SECOND_PERSON_REQUIRED'] }
    : contract

/** As the dashboard sends it again; the path is ours, whatever host it was sent to. */
function asked({ method, url }: Request, body: unknown): AskedCall {
  const { pathname, search } = new URL(url)
  return { method, path: pathname + search, ...(body !== undefined && { body }) }
}

const unauthenticated = () => new RaffleError('UNAUTHENTICATED', '인증이 필요합니다. 다시 로그인해주세요.')

function expectListed(allowedIps: readonly string[], address: string): void {
  if (!isListed(allowedIps, address)) throw new RaffleError('IP_NOT_ALLOWED', '허용되지 않은 IP 주소입니다.')
}
