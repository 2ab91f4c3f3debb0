import {
  type VerifyEvent,
  type VerifyResult,
  type VerifyStep,
  verifySteps,
} from '../../../core/verify/steps.ts'
import { fill } from '../texts/fill.ts'
import { t } from '../texts/index.ts'
import { translated } from '../texts/patterns.ts'

export type CheckLine = {
  step: VerifyStep
  title: string
  state: 'waiting' | 'checking' | VerifyResult['status']
  /** What was found, or how far it is. */
  text: string
  expected?: string | undefined
  actual?: string | undefined
}

/** All checks of a draw, none of them begun. */
export const waitingLines = (): CheckLine[] =>
  verifySteps.map(([step]) => ({ step, title: t.check.steps[step], state: 'waiting', text: '' }))

/** The first line without a result is the one in hand. */
export function begin(lines: readonly CheckLine[]): CheckLine[] {
  const next = lines.findIndex(({ state }) => state === 'waiting')
  const isBusy = lines.some(({ state }) => state === 'checking')
  return lines.map((line, index) => (index === next && !isBusy ? { ...line, state: 'checking' } : line))
}

/** Lays what the verifier told over the lines. */
export function tell(lines: readonly CheckLine[], event: VerifyEvent): CheckLine[] {
  const told = lines.map((line) => {
    if (line.step !== event.step) return line
    if (event.kind === 'progress') {
      const { done, total } = event
      return { ...line, state: 'checking' as const, text: fill(t.check.progress, { done, total }) }
    }
    const { status: state, text, expected, actual } = event
    return { ...line, state, text: translated(text, t.check.findings), expected, actual }
  })
  return event.kind === 'result' ? begin(told) : told
}

/** Nothing runs any more: what has no result stays unknown. */
export const end = (lines: readonly CheckLine[]): CheckLine[] =>
  lines.map((line) =>
    line.state === 'waiting' || line.state === 'checking'
      ? { ...line, state: 'skipped', text: t.check.cutShort }
      : line,
  )

export type CheckCount = { passed: number; failed: number; unknown: number; asked: number; told: number }

/** `asked` leaves out what there was nothing to check for; `told` counts every line with a result. */
export function countLines(lines: readonly CheckLine[]): CheckCount {
  const count = (...states: CheckLine['state'][]) =>
    lines.filter(({ state }) => states.includes(state)).length
  return {
    passed: count('passed'),
    failed: count('failed'),
    unknown: count('unknown'),
    asked: lines.length - count('skipped'),
    told: count('passed', 'failed', 'unknown', 'skipped'),
  }
}
