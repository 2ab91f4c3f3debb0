import { exactKey, isListed } from '../../core/address-list.ts'
import { RaffleError } from '../../core/errors.ts'
import { findSession, type LiveSession, touchSession } from '../../db/admin/sessions.ts'
import { type AuditRow, addAudit, getSettings } from '../../db/admin/settings.ts'
import type { Db } from '../../db/index.ts'
import { tellAudited } from '../../db/notify/tell.ts'
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

/** A call that has passed the address list; `record` fills in its audit row. */
export type OpenCall<B = unknown, Q = unknown, P = unknown> = Values<B, Q, P> & {
  db: Db
  address: string
  /** Of the connection: what a proxy tells is believed by it. */
  peer: string | undefined
  caller: Caller
  request: Request
  record: (facts: { actor?: string; before?: unknown; after?: unknown }) => void
  setCookie: (cookie: string) => void
}
/** A call of an administrator with a live session. */
export type AdminCall<B = unknown, Q = unknown, P = unknown> = OpenCall<B, Q, P> & {
  admin: LiveSession['admin']
  session: LiveSession
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
  /** Also open to a read-only administrator: it changes nothing but what is his own. */
  own?: boolean
  /** Checks of values that depend on the caller or the address. */
  values?: (call: AdminCall<B, Q, P>) => void | Promise<void>
  /** False, with its reason beside it, where no password, code or passkey of the last 10 minutes is asked for. */
  fresh?: false
  /**
   * Runs before the transaction: for work that must outlive a refusal or is slow, such as a password check.
   */
  check?: (call: AdminCall<B, Q, P>) => Promise<void>
  /** False for work that waits for others: `db` is then not a transaction. */
  atomic?: boolean
}

/** Who has told no name that is known: no name is empty. */
const stranger = ''

/** Rows of refused strangers in a minute: one of each address, and so many in all. */
const mostStrangers = 100

type GuardDeps = Pick<Deps, 'db' | 'addresses' | 'log' | 'limits'>

/**
 * The checks of the administrator area, in the order of docs/spec.md, "Errors": address list, session, syntax, type,
 * value, fresh authentication, then the route's own check of the state. They wrap the handler instead of running before
 * it, because an action and its audit row are one transaction and a refusal also adds its row.
 */
export function adminGuard({ db, addresses, log, limits }: GuardDeps) {
  const addressOf = clientAddress(addresses)
  const rowsOfAddress = limits({ name: 'refused', calls: 1, inSeconds: 60 })
  const rowsOfAll = limits({ name: 'refused all', calls: mostStrangers, inSeconds: 60 })

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
   * A call that changes something: `run` and its one audit row are committed together. Needs a full administrator who
   * gave his password, code or passkey in the last 10 minutes, unless its rules say otherwise.
   */
  const action = <
    B extends Some = undefined,
    Q extends Some = undefined,
    P extends Some = undefined,
    A extends Some = undefined,
  >(
    name: string,
    rules: Contract<B, Q, P, A> & ActionRules<B, Q, P>,
    run: (call: AdminCall<B, Q, P>) => Answered<A>,
  ) =>
    routeOf(withRules(rules), 'admin', (context) =>
      audited(name, context, async (call, trace) => {
        const { values, fresh = true, check, atomic = true, own: isOwn = false } = rules
        const session = await enter(call, rules, trace)
        if (!isOwn) expectFull(session)
        await touchSession(db, session.tokenHash)
        const own = { ...(await readCall(rules, call, context)), admin: session.admin, session }
        await values?.(own)
        if (fresh && !session.isFresh)
          throw new RaffleError('REAUTH_REQUIRED', '보안을 위해 비밀번호를 다시 입력해주세요.')
        await check?.(own)
        // A body may come seconds after its headers, and its administrator may be removed in between.
        const inTurn = async (on: Db) => {
          const standing = await expectStanding(on, call.caller)
          if (!isOwn) expectFull(standing)
          return written(on, trace, await run({ ...own, db: on }))
        }
        return atomic ? db.transaction(inTurn) : inTurn(db)
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
        expectListed((await getSettings(db)).allowedIps, call.address)
        return written(db, trace, await run(await readCall(contract, call, context)))
      }),
    )

  /** Syntax, types and values of a call, in this order. */
  async function readCall<B extends Some, Q extends Some, P extends Some, A extends Some>(
    contract: Contract<B, Q, P, A>,
    call: Opened,
    context: RouteContext,
  ): Promise<OpenCall<B, Q, P>> {
    const body = decodeBody(contract, await readBody(contract, call.request)) as Decoded<B>
    return { ...call, ...(readValues(contract, context) as Values<B, Q, P>), body }
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
    return {
      ...{ db, address, peer, request, caller: callerOf(request, address) },
      record: () => undefined,
      setCookie: (cookie) => {
        set.headers['set-cookie'] = cookie
      },
    }
  }

  async function enter(call: Opened, { enrolling, renewing }: Session, trace?: Trace): Promise<LiveSession> {
    const { allowedIps, session } = await findSession(db, call.caller)
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
    if (session.isOtpRequired && !session.hasSecondFactor && !enrolling)
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
    const { code = 'INTERNAL' } = asRaffleError(error) ?? {}
    try {
      // So that nobody fills the list: a refused stranger is one row an address and minute.
      if (!trace.hasSession) {
        await rowsOfAddress.admit(trace.call.address)
        await rowsOfAll.admitKeys([exactKey('all')])
      }
    } catch {
      return
    }
    // Who only says whose password it is was not that one.
    const said = !trace.hasSession && trace.actor !== stranger && { username: trace.actor }
    const row = rowOf({ ...trace, ...(said && { actor: stranger }) }, String(statusOfError(error)), {
      refused: code,
      ...said,
    })
    await addAudit(db, row).catch((cause) => log.warn({ err: cause }, 'audit row not written'))
  }

  /** What went well and was nobody's, as a logout without a session, is no row. */
  async function written<T>(tx: Db, trace: Trace, result: T): Promise<T> {
    if (trace.actor === stranger) return result
    const row = rowOf(trace, String(result instanceof Response ? result.status : 200), {})
    await addAudit(tx, row)
    await tellAudited(tx, row)
    return result
  }

  return { look, read, action, entry }

  function rowOf(trace: Trace, outcome: string, more: Record<string, unknown>): AuditRow {
    const { actor, action, call, before, after } = trace
    const isRefused = Object.keys(more).length > 0
    return {
      actor: actor === stranger ? 'anonymous' : actor,
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

/** Throws READ_ONLY. */
export function expectFull({ admin }: Pick<LiveSession, 'admin'>): void {
  if (admin.readOnly) throw new RaffleError('READ_ONLY', '읽기 전용 계정으로는 할 수 없는 작업입니다.')
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

/** The description of a call has what its rules refuse. */
const withRules = <C extends Pick<Contract, 'refusals'> & { own?: boolean; fresh?: false }>(rules: C): C => ({
  ...rules,
  refusals: [
    ...(rules.refusals ?? []),
    ...(rules.own ? [] : (['READ_ONLY'] as const)),
    ...(rules.fresh === false ? [] : (['REAUTH_REQUIRED'] as const)),
  ],
})

const unauthenticated = () => new RaffleError('UNAUTHENTICATED', '인증이 필요합니다. 다시 로그인해주세요.')

function expectListed(allowedIps: readonly string[], address: string): void {
  if (!isListed(allowedIps, address)) throw new RaffleError('IP_NOT_ALLOWED', '허용되지 않은 IP 주소입니다.')
}
