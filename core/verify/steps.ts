import type { Proof } from '../draw/proof.ts'

/** Every check, in the order in which they are told. */
export const verifySteps = [
  ['form', 'The proof is complete and in its one form'],
  ['terms', 'The terms are those shown while tickets were sold'],
  ['ledger', 'The ticket list has the published fingerprint'],
  ['lines', 'Tickets are numbered in chain order, without a gap'],
  ['seed', 'The seed is the SHA-256 of the five block hashes'],
  ['number', 'The winning ticket follows from the seed'],
  ['winner', 'The winner holds the winning ticket'],
  ['chain', 'The endpoint serves this chain, and the draw block is final'],
  ['draw-block', 'The draw block is the first one at or after the draw date'],
  ['blocks', 'The five block hashes are those of the chain'],
  ['receipts', 'The payments in the list are on the chain'],
  ['completeness', 'No payment on the chain is missing from the list'],
  ['anchor', 'The fingerprint was on the chain before the draw block'],
] as const
export type VerifyStep = (typeof verifySteps)[number][0]

/**
 * `passed`, `failed`; `unknown`: it could not be checked, as an endpoint did not answer; `skipped`: there was
 * nothing to check, or nobody asked for it.
 */
export type VerifyStatus = 'passed' | 'failed' | 'unknown' | 'skipped'

export type VerifyResult = {
  kind: 'result'
  step: VerifyStep
  status: VerifyStatus
  /** What was checked and what was found, one sentence or two. */
  text: string
  expected?: string
  actual?: string
}
export type VerifyProgress = { kind: 'progress'; step: VerifyStep; done: number; total: number }
export type VerifyEvent = VerifyResult | VerifyProgress

/** One JSON-RPC call to an endpoint that the visitor trusts; throws when it is refused or not answered. */
export type Rpc = (method: string, params: readonly unknown[]) => Promise<unknown>

/** What somebody saw while tickets were sold, from another source than the proof. */
export type KnownTerms = Partial<
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

/** Lets the page breathe: long work asks after every piece and waits once it has run for a frame. */
export function createPause(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < 8) return
    await new Promise((resolve) => setTimeout(resolve, 0))
    since = performance.now()
  }
}
