import {
  type Lack,
  stepsOf,
  uncheckedSteps,
  type Verdict,
  type VerifyEvent,
  type VerifyResult,
  type VerifyStep,
  verdictOf,
  verifySteps,
} from '../../../core/verify/steps.ts'
import { fill } from '../texts/fill.ts'
import { t } from '../texts/index.ts'
import { translated } from '../texts/patterns.ts'

export type CheckLine = {
  step: VerifyStep
  title: string
  state: 'waiting' | 'checking' | VerifyResult['status']
  /** What was found, or the progress so far. */
  text: string
  expected?: string | undefined
  actual?: string | undefined
  /** What the node would have needed for it. */
  lacks?: Lack | undefined
}

/** All checks of a draw, none of them started; those of a beacon join them where the draw has one. */
export const waitingLines = (): CheckLine[] => stepsOf('blocks').map(waitingLine)

const waitingLine = (step: VerifyStep): CheckLine => ({
  step,
  title: t.check.steps[step],
  state: 'waiting',
  text: '',
})

/** The lines with this step's, in the order of the steps. */
function withLine(lines: readonly CheckLine[], step: VerifyStep): CheckLine[] {
  if (lines.some((line) => line.step === step)) return [...lines]
  const order = verifySteps.map(([each]) => each)
  return [...lines, waitingLine(step)].sort((a, b) => order.indexOf(a.step) - order.indexOf(b.step))
}

/** Marks the first line without a result as running. */
export function begin(lines: readonly CheckLine[]): CheckLine[] {
  const next = lines.findIndex(({ state }) => state === 'waiting')
  const isBusy = lines.some(({ state }) => state === 'checking')
  return lines.map((line, index) => (index === next && !isBusy ? { ...line, state: 'checking' } : line))
}

/** The lines with an event of the verifier applied. */
export function applyEvent(lines: readonly CheckLine[], event: VerifyEvent): CheckLine[] {
  const done = withLine(lines, event.step).map((line) => {
    if (line.step !== event.step) return line
    if (event.kind === 'progress') {
      const { done, total } = event
      return { ...line, state: 'checking' as const, text: fill(t.check.progress, { done, total }) }
    }
    const { status: state, text, expected, actual, lacks } = event
    return { ...line, state, text: translated(text, t.check.findings), expected, actual, lacks }
  })
  return event.kind === 'result' ? begin(done) : done
}

/** The run has ended: lines without a result count as skipped. */
export const end = (lines: readonly CheckLine[]): CheckLine[] =>
  lines.map((line) =>
    line.state === 'waiting' || line.state === 'checking'
      ? { ...line, state: 'skipped', text: t.check.cutShort }
      : line,
  )

export type CheckCount = { passed: number; failed: number; done: number; asked: number }

/** `done` counts every line with a result. */
export function countLines(lines: readonly CheckLine[]): CheckCount {
  const count = (...states: CheckLine['state'][]) =>
    lines.filter(({ state }) => states.includes(state)).length
  return {
    passed: count('passed'),
    failed: count('failed'),
    done: lines.length - count('waiting', 'checking'),
    asked: lines.length,
  }
}

export type CheckSummary = {
  verdict: Verdict | undefined
  text: string
  /** Names of the checks that were not done, or not in full. */
  open: string[]
  /** What the node lacks for them. */
  lacks: string[]
}

/** The summary. There is no verdict before the last line, and no good one unless every check was done. */
export function summaryOf(lines: readonly CheckLine[], isRunning: boolean): CheckSummary {
  const { passed, failed, done, asked } = countLines(lines)
  const plain = (text: string): CheckSummary => ({ verdict: undefined, text, open: [], lacks: [] })
  if (isRunning && failed === 0) return plain(fill(t.check.allPassed, { passed, asked }))
  if (isRunning) return plain(fill(t.check.someFailed, { failed, asked }))
  if (done === 0) return plain(fill(t.check.noneYet, { asked }))
  const verdict = verdictOf(lines.map(({ step, state }) => ({ step, status: state })))
  if (verdict === 'contradicted')
    return { verdict, text: fill(t.check.someFailed, { failed, asked }), open: [], lacks: [] }
  if (verdict === 'verified')
    return { verdict, text: fill(t.check.allPassed, { passed: asked, asked }), open: [], lacks: [] }
  const open = uncheckedSteps(lines.map(({ step, state }) => ({ step, status: state })))
  const missing = new Set(lines.flatMap(({ lacks }) => lacks ?? []))
  return {
    verdict,
    text: fill(t.check.someOpen, { count: open.length, asked }),
    open: open.map((step) => t.check.steps[step]),
    lacks: [...missing].map((lack) => t.check.lacks[lack]),
  }
}
