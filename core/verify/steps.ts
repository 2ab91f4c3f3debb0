import type { Proof } from '../draw/proof.ts'
import type { Entropy } from '../event/event.ts'
import type { KeptTerms } from '../event/terms-compare.ts'

/** Every check, in the order of the report. */
export const verifySteps = [
  ['form', 'The proof is complete and in its one form'],
  ['terms', 'The terms are those shown while tickets were sold'],
  ['ledger', 'The ticket list has the published fingerprint'],
  ['lines', 'Tickets are numbered in chain order, without a gap'],
  ['seed', 'The seed follows from the five block hashes, and from the beacon where one is mixed in'],
  ['number', 'The winning ticket follows from the seed'],
  ['winner', 'The winner holds the winning ticket'],
  ['winners', 'All winners and reserves follow from the seed'],
  ['beacon-round', "The beacon's round is the one that the rule names"],
  ['beacon', "The beacon's signature is genuine"],
  ['chain', 'The endpoint serves this chain, and the draw block is final'],
  ['draw-block', 'The draw block is the first one at or after the draw date'],
  ['blocks', 'The five block hashes are those of the chain'],
  ['receipts', 'The payments in the list are on the chain'],
  ['completeness', 'No payment on the chain is missing from the list'],
  ['anchor', 'Terms and fingerprint were on the chain before the draw block'],
] as const
export type VerifyStep = (typeof verifySteps)[number][0]

const beaconSteps: readonly VerifyStep[] = ['beacon-round', 'beacon']

/** The steps of a draw: those of the beacon belong to a draw that mixes one in. */
export const stepsOf = (entropy: Entropy): VerifyStep[] =>
  verifySteps
    .map(([step]) => step)
    .filter((step) => !beaconSteps.includes(step) || entropy === 'blocks+drand')

/**
 * `passed`, `failed`; `partial`: a part was checked and is right; `unknown`: it could not be checked, as an
 * endpoint did not answer; `skipped`: there was nothing to check, or the caller did not ask for it.
 */
export type VerifyStatus = 'passed' | 'failed' | 'partial' | 'unknown' | 'skipped'

/**
 * What was lacking for a step: logs, or blocks and receipts as old as the sale, of the endpoint; the whole terms line, one
 * with dates, or what is raffled, of who checks.
 */
export type Lack = 'logs' | 'archive' | 'line' | 'dates' | 'content'

export type VerifyResult = {
  kind: 'result'
  step: VerifyStep
  status: VerifyStatus
  /** What was checked and found, in one or two sentences. */
  text: string
  expected?: string
  actual?: string
  lacks?: Lack
}
/** `requests`: told before the work begins, about how many the endpoint will be asked. */
export type VerifyProgress = {
  kind: 'progress'
  step: VerifyStep
  done: number
  total: number
  requests?: number
}
export type VerifyEvent = VerifyResult | VerifyProgress

/**
 * How far long work came: lines of the list that were looked up, the first block of the sale that was not read, and how
 * many payments of each of the operator's own wallets were left out before it.
 */
export type Progress = { lines: number; block: number; own: Record<string, number> }
/** Remembers it, so that a later check of the same proof goes on from there. */
export type Memory = { load: () => Partial<Progress>; keep: (progress: Partial<Progress>) => void }

/** One JSON-RPC call to an endpoint that the visitor trusts; throws when it is refused or not answered. */
export type Rpc = (method: string, params: readonly unknown[]) => Promise<unknown>

type ComparedTerms = Partial<
  Pick<
    Proof,
    | 'eventNumber'
    | 'chainId'
    | 'token'
    | 'operatorWallet'
    | 'ticketPrice'
    | 'saleStart'
    | 'saleEndDate'
    | 'drawDate'
  >
>

/** Terms that a person noted while tickets were sold, from another source than the proof. */
export type KnownTerms = ComparedTerms & {
  /** What the site says now: it may contradict the proof, and confirms nothing, as both are the operator's word. */
  shown?: ComparedTerms | undefined
  /** What the buyer's browser kept at its purchases. */
  kept?: readonly KeptTerms[] | undefined
  /** The answer of `raffle/content/{n}` as it was served or saved. */
  content?: string | undefined
}

export const passed = (step: VerifyStep, text: string): VerifyResult => ({
  kind: 'result',
  step,
  status: 'passed',
  text,
})
export const skipped = (step: VerifyStep, text: string): VerifyResult => ({
  kind: 'result',
  step,
  status: 'skipped',
  text,
})
export const failed = (
  step: VerifyStep,
  text: string,
  expected?: unknown,
  actual?: unknown,
): VerifyResult => ({
  kind: 'result',
  step,
  status: 'failed',
  text,
  ...(expected !== undefined && { expected: String(expected), actual: String(actual) }),
})

export const partial = (step: VerifyStep, text: string): VerifyResult => ({
  ...passed(step, text),
  status: 'partial',
})
export const lacking = (
  step: VerifyStep,
  status: 'unknown' | 'skipped',
  text: string,
  lacks: Lack | undefined,
): VerifyResult => ({ kind: 'result', step, status, text, ...(lacks && { lacks }) })

/**
 * `verified`: every step was done and passed. `contradicted`: one failed. `incomplete`: nothing contradicts
 * the draw, but it is not proven, as a step was not done or covered only a part.
 */
export type Verdict = 'verified' | 'incomplete' | 'contradicted'

/** The state of a step; on the page a step may also be waiting. */
type StepResult = { step: VerifyStep; status: string }

export function verdictOf(results: readonly StepResult[]): Verdict {
  if (results.some(({ status }) => status === 'failed')) return 'contradicted'
  return uncheckedSteps(results).length === 0 ? 'verified' : 'incomplete'
}

/**
 * Steps that have not passed, in their order; those of the beacon only where there is one. A sample of the receipts is enough where the logs of the whole
 * sale were read: they prove each payment of the list.
 */
export function uncheckedSteps(results: readonly StepResult[]): VerifyStep[] {
  const has = (step: VerifyStep, wanted: VerifyStatus) => {
    const of = results.filter((each) => each.step === step)
    return of.length > 0 && of.every(({ status }) => status === wanted)
  }
  return verifySteps
    .map(([step]) => step)
    .filter((step) => !beaconSteps.includes(step) || results.some((each) => each.step === step))
    .filter((step) => !has(step, 'passed'))
    .filter((step) => !(step === 'receipts' && has(step, 'partial') && has('completeness', 'passed')))
}

/**
 * The first problem in the order of the questions. One that is found counts although a later question was not answered, as it
 * does for who asks one after the other; throws what came before it.
 */
export async function firstProblem<T>(questions: readonly Promise<T | undefined>[]): Promise<T | undefined> {
  for (const told of await Promise.allSettled(questions)) {
    if (told.status === 'rejected') throw told.reason
    if (told.value !== undefined) return told.value
  }
  return undefined
}

/** Keeps the page responsive: long work calls it after every piece and yields after 8 ms. */
export function createPause(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < 8) return
    await new Promise((resolve) => setTimeout(resolve, 0))
    since = performance.now()
  }
}
