import type { Entropy } from '../event/event.ts'

/** Every check, in the order of the report. */
export const verifySteps = [
  ...(['form', 'terms', 'list', 'lines', 'seed', 'number', 'winner', 'winners'] as const),
  ...(['beacon-round', 'beacon', 'chain', 'draw-block', 'blocks', 'completeness'] as const),
  ...(['terms-anchor', 'list-anchor'] as const),
] as const
export type VerifyStep = (typeof verifySteps)[number]

export const stepsOf = (entropy: Entropy): VerifyStep[] =>
  verifySteps.filter((step) => entropy === 'blocks+drand' || !step.startsWith('beacon'))

/** Money in units, times in Unix seconds; what a file or an endpoint said stands as it was said. */
export type FindingValues = {
  /** Any step: a value of the proof is not what follows from the rest. */
  otherValue: { field: string; expected: string; actual: string }
  /** `form` */
  proofWhole: { event: number; tickets: number; drawDate: number }
  proofBroken: { problem: string }
  /** `terms` */
  termsKept: object
  noLineKept: object
  keptBeforeDate: object
  noTermsLine: object
  keptDiffers: { field: string; expected: string; actual: string }
  notUsdt: { expected: string; actual: string }
  minimumMissed: { minimum: number; tickets: number }
  /** Of an event that ended in refunds. */
  minimumReached: { minimum: number; tickets: number }
  /** `list` */
  listHashed: { sha256: string; bytes: number }
  otherList: { expected: string; actual: string }
  listUnread: { problem: string }
  /** `lines` */
  linesRight: { payments: number; tickets: number }
  listBroken: object
  notUtf8: object
  noHeader: object
  noLastNewline: object
  lineTooLong: { line: number }
  lineForm: { line: number; text: string }
  lineTicket: { line: number; expected: number; actual: number }
  lineCount: { line: number; tickets: number; units: string }
  lineOrder: { line: number }
  lineBeyond: { line: number; most: number }
  /** `seed`, `number` */
  seedRight: { blockSeed: string }
  numberRight: { number: string; tickets: number; ticket: number }
  /** `winner`, `winners` */
  winnerRight: { ticket: number; first: number; last: number; payer: string }
  noHolder: { ticket: number }
  winnersRight: { winners: number; reserves: number }
  /** `beacon-round`, `beacon` */
  roundByDate: { round: number; seconds: number }
  roundByBlock: { round: number; seconds: number; block: number }
  beaconUnknown: object
  beaconRight: { round: number }
  otherBeacon: { expected: string; actual: string }
  badSignature: { round: number }
  /** `chain`, `draw-block`, `blocks` */
  chainRight: { chain: number; block: number }
  otherChain: { expected: number; actual: number }
  drawNotFinal: { block: number; final: number }
  drawBlockRight: { block: number; before: number }
  drawBlockEarlier: { block: number }
  drawBlockLater: { block: number }
  blocksRight: { first: number; last: number; miners: number }
  otherBlock: { block: number; field: string; expected: string; actual: string }
  /** `completeness` */
  salePaymentsRight: { blocks: number; payments: number }
  paymentMissing: { expected: string; actual: string }
  paymentInvented: { actual: string }
  outsideSale: { first: number; last: number; actual: string }
  /** `terms-anchor`, `list-anchor` */
  termsAnchored: { transaction: string; block: number; seconds: number }
  termsNotAnchored: object
  termsAnchoredLate: { transaction: string; block: number }
  listAnchored: { transaction: string; block: number; seconds: number }
  listNotAnchored: object
  listAnchoredEarly: { transaction: string; block: number }
  anchorNotThere: { transaction: string; block: number }
  operatorAnchoredOther: { commitment: string; transaction: string }
  anchorWalletAnchoredOther: { commitment: string; transaction: string }
  /** What an endpoint keeps from being checked. */
  noEndpoint: object
  noLogs: object
  noOldLogs: object
  noHistory: { problem: string }
  endpointFailed: { problem: string }
  logsLeaveOut: { block: number }
}
export type Finding = keyof FindingValues

/** `open`: it could not be checked, so nothing contradicts the draw here and nothing proves it. */
export type VerifyStatus = 'passed' | 'failed' | 'open'

export type VerifyResult = {
  [F in Finding]: {
    kind: 'result'
    step: VerifyStep
    status: VerifyStatus
    finding: F
    values: FindingValues[F]
  }
}[Finding]
export type VerifyProgress = { kind: 'progress'; step: VerifyStep; done: number; total: number }
export type VerifyEvent = VerifyResult | VerifyProgress

/** One JSON-RPC call to an endpoint that the visitor trusts; throws when it is refused or not answered. */
export type Rpc = (method: string, params: readonly unknown[]) => Promise<unknown>

const result =
  (status: VerifyStatus) =>
  <F extends Finding>(step: VerifyStep, finding: F, values: FindingValues[F]): VerifyResult =>
    ({ kind: 'result', step, status, finding, values }) as VerifyResult
export const passed = result('passed')
export const failed = result('failed')
export const open = result('open')

/** The first value of `found` that `told` has otherwise; `of` stands before its name. */
export function differing<T extends object>(
  step: VerifyStep,
  found: T,
  told: { [K in keyof T]: unknown },
  of = '',
): VerifyResult | undefined {
  const name = (Object.keys(found) as (keyof T & string)[]).find((each) => found[each] !== told[each])
  if (name === undefined) return undefined
  const values = { expected: `${found[name]}`, actual: `${told[name]}` }
  return failed(step, 'otherValue', { field: `${of}${name}`, ...values })
}

/** `verified`: every step passed. `contradicted`: one failed. `incomplete`: none failed, and one could not be done. */
export type Verdict = 'verified' | 'incomplete' | 'contradicted'

/** The verdict over results of all steps; on the page a step may also be waiting. */
export function verdictOf(results: readonly { status: string }[]): Verdict {
  if (results.some(({ status }) => status === 'failed')) return 'contradicted'
  return results.length > 0 && results.every(({ status }) => status === 'passed') ? 'verified' : 'incomplete'
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
