import { RaffleError } from '../../core/errors.ts'
import type { Endpoint } from './endpoint.ts'
import { RpcFailure } from './transport.ts'

type Ask<T> = (endpoint: Endpoint) => Promise<T | undefined>
/** Whether an answer other than that of two can only be a lie; an endpoint is set aside for nothing else. */
type IsLie<T> = (odd: T, decided: T) => boolean
/** `print`: its fingerprint, once it was compared. */
type Answer<T> = { endpoint: Endpoint; value: T; print?: string }

/** How many endpoints must agree on a fact: two if two or more are configured. */
export const witnesses = (endpoints: readonly Endpoint[]): number => Math.min(2, endpoints.length)

/** Asks in the order of RPC_URLS until `enough` have given an answer other than undefined, which means that
 * all answered and none knew. Throws RPC_UNAVAILABLE when too few knew. */
export async function askUntil<T>(
  endpoints: readonly Endpoint[],
  enough: number,
  ask: Ask<T>,
): Promise<T[] | undefined> {
  const { answers, failures } = await collect(endpoints, ask, ({ length }) => enough - length)
  if (answers.length >= enough) return answers.map(({ value }) => value)
  return nothing(answers, failures)
}

/** The same from two, or from the only one; with `all` from the larger part. Sets aside whoever told a lie:
 * any other answer, unless `isLie` knows honest ones. Throws RPC_DISAGREE. */
export async function agree<T>(
  endpoints: readonly Endpoint[],
  ask: Ask<T>,
  fingerprint: (answer: T) => string,
  { isLie, all = false }: { isLie?: IsLie<T>; all?: boolean } = {},
): Promise<T | undefined> {
  const enough = witnesses(endpoints)
  const alike = (answers: readonly Answer<T>[]) => groupsOf(answers, fingerprint)[0]?.length ?? 0
  const missing = all ? () => endpoints.length : (found: Answer<T>[]) => enough - alike(found)
  const { answers, failures } = await collect(endpoints, ask, missing)
  const found = clearest(answers, enough, fingerprint, isLie)
  if (found) return found.value
  if (groupsOf(answers, fingerprint).length < 2) return nothing(answers, failures)
  throw new RaffleError('RPC_DISAGREE', { data: { hosts: answers.map(({ endpoint }) => endpoint.host) } })
}

/** What every endpoint says that answers, two at least, or the only one. Throws RPC_UNAVAILABLE when fewer do. */
export async function askAll<T>(endpoints: readonly Endpoint[], ask: Ask<T>): Promise<T[]> {
  const { answers, failures } = await collect(endpoints, ask, () => endpoints.length)
  if (answers.length < witnesses(endpoints)) throw unavailable(failures, answers.length)
  return answers.map(({ value }) => value)
}

/** As `agree` for lists of `count` answers, each item on its own: undefined where no two say the same, and
 * for nothing is no other answer. Throws RPC_UNAVAILABLE when too few answer. */
export async function agreeEach<T>(
  endpoints: readonly Endpoint[],
  count: number,
  ask: (endpoint: Endpoint) => Promise<(T | undefined)[]>,
  fingerprint: (item: T) => string,
  isLie?: IsLie<T>,
): Promise<(T | undefined)[]> {
  const enough = witnesses(endpoints)
  const items = (answers: readonly Answer<(T | undefined)[]>[], at: number): Answer<T>[] =>
    answers.flatMap(({ endpoint, value }) => (value[at] === undefined ? [] : { endpoint, value: value[at] }))
  const positions = Array.from({ length: count }, (_, at) => at)
  const alike = (answers: readonly Answer<(T | undefined)[]>[]) =>
    Math.min(...positions.map((at) => groupsOf(items(answers, at), fingerprint)[0]?.length ?? 0))
  const { answers, failures } = await collect(endpoints, ask, (found) => enough - alike(found))
  if (answers.length < enough) throw unavailable(failures, answers.length)
  return positions.map((at) => clearest(items(answers, at), enough, fingerprint, isLie)?.value)
}

/** Asks as many of the next endpoints at once as `missing` says, until it says none or all were asked. */
async function collect<T>(
  endpoints: readonly Endpoint[],
  ask: Ask<T>,
  missing: (answers: Answer<T>[]) => number,
): Promise<{ answers: Answer<T>[]; failures: Record<string, string> }> {
  const answers: Answer<T>[] = []
  const failures: Record<string, string> = {}
  for (let next = 0; next < endpoints.length; ) {
    const count = missing(answers)
    if (count <= 0) break
    const asked = endpoints.slice(next, next + count)
    next += asked.length
    const outcomes = await Promise.allSettled(asked.map((endpoint) => ask(endpoint)))
    for (const [index, endpoint] of asked.entries()) {
      const outcome = outcomes[index]
      if (outcome?.status === 'rejected') failures[endpoint.host] = failed(outcome.reason)
      else if (outcome?.value !== undefined) answers.push({ endpoint, value: outcome.value })
    }
  }
  return { answers, failures }
}

/** The first of the largest group of `enough` or more; undefined where there is none. The endpoints of all
 * other groups are set aside, unless what they said may be honest. */
function clearest<T>(
  answers: readonly Answer<T>[],
  enough: number,
  fingerprint: (answer: T) => string,
  isLie: IsLie<T> = () => true,
): Answer<T> | undefined {
  const [most = [], ...others] = groupsOf(answers, fingerprint)
  const [decided] = most
  if (!decided || most.length < enough || others.some(({ length }) => length === most.length))
    return undefined
  for (const { endpoint, value } of others.flat()) if (isLie(value, decided.value)) endpoint.seat.setAside()
  return decided
}

/** Answers that say the same, the largest group first. */
function groupsOf<T>(answers: readonly Answer<T>[], fingerprint: (answer: T) => string): Answer<T>[][] {
  if (answers.length === 1) return [[...answers]]
  const groups = Map.groupBy(answers, (answer) => {
    answer.print ??= fingerprint(answer.value)
    return answer.print
  })
  return [...groups.values()].sort((a, b) => b.length - a.length)
}

/** What one of them knows and another one not is not missing: nothing is decided by that. */
function nothing(answers: readonly unknown[], failures: Record<string, string>): undefined {
  if (Object.keys(failures).length > 0) throw unavailable(failures, answers.length)
  if (answers.length === 0) return undefined
  const data = { isHalfKnown: true, answers: answers.length }
  throw new RaffleError('RPC_UNAVAILABLE', { reason: 'chain', data })
}

export function unavailable(failures: Record<string, string>, answers: number): RaffleError {
  const areAll = (kind: string) => new Set(Object.values(failures)).isSubsetOf(new Set([kind]))
  const isTold = Object.keys(failures).length > 0
  if (isTold && areAll('pruned')) return new RaffleError('HISTORY_MISSING', { data: { failures } })
  const reason = isTold && areAll('no-logs') ? 'logs' : 'chain'
  return new RaffleError('RPC_UNAVAILABLE', { reason, data: { failures, answers } })
}

/** How an endpoint failed. A bug of ours must not look like an outage: it is thrown. */
export function failed(reason: unknown): string {
  if (reason instanceof RpcFailure) return reason.message
  throw reason
}

/** Something that an operator must look at; the text is stable, as alerts search for it. */
export type OnAlarm = (text: string, facts: Record<string, unknown>) => void

/** Where an endpoint stands among those configured: it may be left out of every question for a while. */
export type Seat = {
  isAside: () => boolean
  /** Leaves it out for ten minutes, unless fewer than two would stay. `proof`: it was shown to tell what is not so. */
  setAside: (proof?: Record<string, string>) => void
  /** Names it in an alarm, the same text once in ten minutes. */
  alarm: OnAlarm
}

const asideMs = 10 * 60_000
const fewest = 2

/** The seats of all configured endpoints, in their order. Setting aside never leaves fewer than two of them. */
export function openSeats(hosts: readonly string[], now: () => number, onAlarm: OnAlarm): Seat[] {
  const until = hosts.map(() => Number.NEGATIVE_INFINITY)
  const isAside = (index: number): boolean => now() < (until[index] ?? 0)
  const staying = (): number => hosts.filter((_, index) => !isAside(index)).length
  return hosts.map((host, index) => {
    const alarm = onceIn(asideMs, now, (text, facts) => onAlarm(text, { host, ...facts }))
    return {
      isAside: () => isAside(index),
      alarm,
      setAside: (proof) => {
        if (proof) alarm('an endpoint tells what is not so', proof)
        if (isAside(index) || staying() <= fewest) return
        until[index] = now() + asideMs
        onAlarm('endpoint set aside', { host, minutes: asideMs / 60_000, staying: staying() })
      },
    }
  })
}

export function onceIn(ms: number, now: () => number, onAlarm: OnAlarm): OnAlarm {
  const toldAt = new Map<string, number>()
  return (text, facts) => {
    if (now() - (toldAt.get(text) ?? Number.NEGATIVE_INFINITY) < ms) return
    toldAt.set(text, now())
    onAlarm(text, facts)
  }
}

const longMs = 5_000
const newForMs = 15_000

/** Names the endpoints that differ. Near the head they may for a moment: what no later read of that name has
 * settled for seconds is an alarm. */
export function openDifferences(endpoints: readonly Endpoint[], now: () => number, onAlarm: OnAlarm) {
  const alarm = onceIn(asideMs, now, onAlarm)
  const open = new Map<string, { since: number; at: number }>()
  function note(about: string, error: unknown): void {
    if (!(error instanceof RaffleError) || error.code !== 'RPC_DISAGREE') return
    const { hosts } = error.data
    const differing = endpoints.filter(({ host }) => Array.isArray(hosts) && hosts.includes(host))
    const before = open.get(about)
    const since = before && now() - before.at < newForMs ? before.since : now()
    open.set(about, { since, at: now() })
    for (const endpoint of differing) endpoint.blame('difference', { about })
    if (now() - since >= longMs) alarm('endpoints differ', { hosts, about })
  }
  return <A extends unknown[], T>(about: string, read: (...args: A) => Promise<T>) =>
    async (...args: A): Promise<T> => {
      try {
        const found = await read(...args)
        open.delete(about)
        return found
      } catch (error) {
        note(about, error)
        throw error
      }
    }
}
