import { RaffleError } from '../../core/errors.ts'
import type { Endpoint } from './endpoint.ts'
import { RpcFailure } from './failure.ts'

/** How many endpoints must agree on a fact: two if two or more are configured. */
export const witnesses = (endpoints: readonly Endpoint[]): number => Math.min(2, endpoints.length)

/**
 * Asks in the order of RPC_URLS until `enough` endpoints have given an answer other than undefined, and
 * returns their answers. Undefined when every endpoint answered but too few knew: one node that does not know
 * something proves nothing. Throws RPC_UNAVAILABLE when so many endpoints failed that too few are left; with
 * one of two endpoints down nothing is decided, since waiting loses no money.
 */
export async function askUntil<T>(
  endpoints: readonly Endpoint[],
  enough: number,
  ask: (endpoint: Endpoint, soFar: readonly T[]) => Promise<T | undefined>,
): Promise<T[] | undefined> {
  const answers: T[] = []
  const failures: Record<string, string> = {}
  let next = 0
  while (answers.length < enough && next < endpoints.length) {
    const asked = endpoints.slice(next, next + enough - answers.length)
    next += asked.length
    const outcomes = await Promise.allSettled(asked.map((endpoint) => ask(endpoint, answers)))
    outcomes.forEach((outcome, index) => {
      if (outcome.status === 'fulfilled') {
        if (outcome.value !== undefined) answers.push(outcome.value)
      } else failures[(asked[index] as Endpoint).host] = failed(outcome.reason)
    })
  }
  if (answers.length >= enough) return answers
  if (Object.keys(failures).length === 0) return undefined
  throw unavailable(failures, answers.length)
}

/** The same answer from two endpoints, or from the only one. Throws RPC_DISAGREE when they differ. */
export async function agree<T>(
  endpoints: readonly Endpoint[],
  ask: (endpoint: Endpoint) => Promise<T | undefined>,
  fingerprint: (answer: T) => string,
): Promise<T | undefined> {
  const answers = await askUntil(endpoints, witnesses(endpoints), ask)
  if (!answers) return undefined
  expectSame(answers.map(fingerprint))
  return answers[0]
}

export function expectSame(fingerprints: readonly string[]): void {
  if (new Set(fingerprints).size > 1)
    throw new RaffleError('RPC_DISAGREE', 'The endpoints of RPC_URLS do not tell the same of the chain.')
}

export function unavailable(failures: Record<string, string>, answers: number): RaffleError {
  if (Object.values(failures).every((kind) => kind === 'pruned'))
    return new RaffleError('HISTORY_MISSING', 'The endpoints no longer have blocks that are needed.', {
      failures,
    })
  if (Object.values(failures).length > 0 && Object.values(failures).every((kind) => kind === 'no-logs'))
    return new RaffleError(
      'RPC_UNAVAILABLE',
      'No endpoint of RPC_URLS serves logs or block receipts: payments cannot be found and nothing can be drawn.',
      { failures },
    )
  return new RaffleError('RPC_UNAVAILABLE', 'The chain cannot be read at the moment.', { failures, answers })
}

/** How an endpoint failed. A bug of ours must not look like an outage: it is thrown. */
export function failed(reason: unknown): string {
  if (reason instanceof RpcFailure) return reason.message
  throw reason
}
