import { expect, test } from 'vitest'
import { verifySteps } from '../../../core/verify/steps.ts'
import { begin, type CheckLine, countLines, end, tell, waitingLines } from './check-lines.ts'

const states = (lines: readonly CheckLine[]) => lines.map(({ state }) => state)
const result = (step: CheckLine['step'], status: 'passed' | 'failed' | 'skipped' | 'unknown') => ({
  kind: 'result' as const,
  ...{ step, status, text: `${step}: ${status}` },
})

test('each check is a named line; the one after the last result is in hand', () => {
  const lines = begin(waitingLines())
  expect(lines.map(({ step, title }) => [step, title])).toEqual(verifySteps.map((step) => [...step]))
  expect(states(lines).slice(0, 3)).toEqual(['checking', 'waiting', 'waiting'])
  expect(states(tell(lines, result('form', 'passed'))).slice(0, 3)).toEqual(['passed', 'checking', 'waiting'])
})

test('progress is told on its own line, and a second check is not begun beside it', () => {
  let lines = begin(waitingLines())
  for (const step of ['form', 'terms'] as const) lines = tell(lines, result(step, 'passed'))
  lines = tell(lines, { kind: 'progress', step: 'lines', done: 12_000, total: 100_000 })
  expect(lines[3]).toMatchObject({ state: 'checking', text: '12,000 of 100,000 read' })
  lines = tell(lines, result('ledger', 'passed'))
  expect(states(lines).filter((state) => state === 'checking')).toHaveLength(1)
})

test('a failed line keeps expected and found; what was not asked does not count', () => {
  let lines = begin(waitingLines())
  for (const [step] of verifySteps)
    lines = tell(lines, result(step, step === 'anchor' ? 'skipped' : 'passed'))
  expect(countLines(lines)).toEqual({ passed: 12, failed: 0, unknown: 0, asked: 12, told: 13 })
  lines = tell(lines, { ...result('seed', 'failed'), expected: '0xaa', actual: '0xbb' })
  expect(lines.find(({ step }) => step === 'seed')).toMatchObject({
    state: 'failed',
    expected: '0xaa',
    actual: '0xbb',
  })
  expect(countLines(lines)).toMatchObject({ passed: 11, failed: 1 })
})

test('after a proof that cannot be read nothing stays in hand', () => {
  const lines = end(tell(begin(waitingLines()), result('form', 'failed')))
  expect(new Set(states(lines))).toEqual(new Set(['failed', 'skipped']))
})
