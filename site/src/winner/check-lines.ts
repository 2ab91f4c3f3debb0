import {
  stepsOf,
  type Verdict,
  type VerifyEvent,
  type VerifyStatus,
  type VerifyStep,
  verdictOf,
  verifySteps,
} from '../../../core/verify/steps.ts'
import { fill } from '../texts/fill.ts'
import { type FindingTexts, type Statement, statementOf } from '../texts/findings.ts'
import { t } from '../texts/index.ts'

/** `text`: what was found, or the progress so far. */
export type CheckLine = Statement & {
  step: VerifyStep
  title: string
  state: 'waiting' | 'checking' | VerifyStatus
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
  return [...lines, waitingLine(step)].sort(
    (a, b) => verifySteps.indexOf(a.step) - verifySteps.indexOf(b.step),
  )
}

/** Marks the first line without a result as running. */
export function begin(lines: readonly CheckLine[]): CheckLine[] {
  const next = lines.findIndex(({ state }) => state === 'waiting')
  const isBusy = lines.some(({ state }) => state === 'checking')
  return lines.map((line, index) => (index === next && !isBusy ? { ...line, state: 'checking' } : line))
}

/** The lines with an event of the verifier applied. */
export function applyEvent(
  lines: readonly CheckLine[],
  event: VerifyEvent,
  texts: FindingTexts,
): CheckLine[] {
  const done = withLine(lines, event.step).map((line): CheckLine => {
    if (line.step !== event.step) return line
    if (event.kind === 'progress') {
      const { done, total } = event
      return { ...line, state: 'checking', text: fill(t.check.progress, { done, total }) }
    }
    return { ...line, state: event.status, ...statementOf(texts, event, t.terms.names) }
  })
  return event.kind === 'result' ? begin(done) : done
}

/** The run has ended: lines without a result were not checked. */
export const end = (lines: readonly CheckLine[]): CheckLine[] =>
  lines.map((line) =>
    line.state === 'waiting' || line.state === 'checking'
      ? { ...line, state: 'open', text: t.check.cutShort }
      : line,
  )

/** How many lines have a result. */
export const countDone = (lines: readonly CheckLine[]): number =>
  lines.filter(({ state }) => state !== 'waiting' && state !== 'checking').length

export type CheckSummary = {
  verdict: Verdict | undefined
  text: string
  /** Names of the checks that could not be done. */
  open: string[]
  /** What to do after the ones that failed. */
  next: string[]
}

/** The summary. There is no verdict before the last line, and no good one unless every check was done. */
export function summaryOf(lines: readonly CheckLine[], isRunning: boolean): CheckSummary {
  const asked = lines.length
  const those = (of: CheckLine['state']) => lines.filter(({ state }) => state === of)
  const [passed, failed, open] = [those('passed'), those('failed'), those('open')]
  const verdict = isRunning || countDone(lines) === 0 ? undefined : verdictOf(lines.map(statusOf))
  const text =
    failed.length > 0
      ? fill(t.check.someFailed, { failed: failed.length, asked })
      : verdict === 'incomplete'
        ? fill(t.check.someOpen, { count: open.length, asked })
        : verdict || isRunning
          ? fill(verdict ? t.check.proven : t.check.allPassed, { passed: passed.length, asked })
          : fill(t.check.noneYet, { asked })
  return {
    verdict,
    text,
    open: verdict === 'incomplete' ? open.map(({ title }) => title) : [],
    next: verdict ? [...new Set(failed.flatMap(({ next }) => next ?? []))] : [],
  }
}

const statusOf = ({ state: status }: CheckLine) => ({ status })
