import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, onTestFinished, test } from 'vitest'
import { stepsOf, type VerifyStatus, verifySteps } from '../../../core/verify/steps.ts'
import { en } from '../texts/en/index.ts'
import { type Lang, setTexts } from '../texts/index.ts'
import { ko } from '../texts/ko/index.ts'
import { CheckVerdict } from './CheckVerdict.tsx'
import { applyEvent, begin, type CheckLine, countLines, end, summaryOf, waitingLines } from './check-lines.ts'

const states = (lines: readonly CheckLine[]) => lines.map(({ state }) => state)
const result = (step: CheckLine['step'], status: VerifyStatus) => ({
  kind: 'result' as const,
  ...{ step, status, text: `${step}: ${status}` },
})

test('each check is a named line; the first one without a result is running', () => {
  const lines = begin(waitingLines())
  expect(lines.map(({ step, title }) => [step, title])).toEqual(
    verifySteps.filter(([step]) => stepsOf('blocks').includes(step)).map((step) => [...step]),
  )
  expect(states(lines).slice(0, 3)).toEqual(['checking', 'waiting', 'waiting'])
  expect(states(applyEvent(lines, result('form', 'passed'))).slice(0, 3)).toEqual([
    'passed',
    'checking',
    'waiting',
  ])
})

test('progress appears on its own line, and no second check starts beside it', () => {
  let lines = begin(waitingLines())
  for (const step of ['form', 'terms'] as const) lines = applyEvent(lines, result(step, 'passed'))
  lines = applyEvent(lines, { kind: 'progress', step: 'lines', done: 12_000, total: 100_000 })
  expect(lines[3]).toMatchObject({ state: 'checking', text: '12,000 of 100,000 read' })
  lines = applyEvent(lines, result('ledger', 'passed'))
  expect(states(lines).filter((state) => state === 'checking')).toHaveLength(1)
})

test('a failed line keeps the expected and found values; a skipped check counts as not passed', () => {
  let lines = begin(waitingLines())
  for (const step of stepsOf('blocks'))
    lines = applyEvent(lines, result(step, step === 'anchor' ? 'skipped' : 'passed'))
  expect(countLines(lines)).toEqual({ passed: 13, failed: 0, done: 14, asked: 14 })
  lines = applyEvent(lines, { ...result('seed', 'failed'), expected: '0xaa', actual: '0xbb' })
  expect(lines.find(({ step }) => step === 'seed')).toMatchObject({
    state: 'failed',
    expected: '0xaa',
    actual: '0xbb',
  })
  expect(countLines(lines)).toMatchObject({ passed: 12, failed: 1 })
})

test('the checks of a beacon join the others, in their order, where the draw has one', () => {
  let lines = begin(waitingLines())
  for (const step of stepsOf('blocks+drand')) lines = applyEvent(lines, result(step, 'passed'))
  expect(lines.map(({ step }) => step)).toEqual(stepsOf('blocks+drand'))
  expect(summaryOf(lines, false).verdict).toBe('verified')
})

test('after an unreadable proof no check is running', () => {
  const lines = end(applyEvent(begin(waitingLines()), result('form', 'failed')))
  expect(new Set(states(lines))).toEqual(new Set(['failed', 'skipped']))
})

describe('the verdict in the page', () => {
  /** All steps as passed but these, as the panel shows them when the check has ended. */
  function shown(others: Partial<Record<CheckLine['step'], VerifyStatus>>, lang: Lang = 'en') {
    setTexts(lang === 'ko' ? ko : en, lang)
    onTestFinished(() => setTexts(en, 'en'))
    let lines = begin(waitingLines())
    for (const step of stepsOf('blocks')) {
      const lacks = step === 'completeness' && others.completeness === 'skipped' ? 'logs' : undefined
      lines = applyEvent(lines, { ...result(step, others[step] ?? 'passed'), ...(lacks && { lacks }) })
    }
    return renderToStaticMarkup(createElement(CheckVerdict, { summary: summaryOf(end(lines), false) }))
  }

  test('verified: only when every check was done and passed', () => {
    const html = shown({})
    expect(html).toContain('<span class="badge ok">Verified</span>')
    expect(html).toContain('14 of 14 checks passed')
    expect(shown({}, 'ko')).toContain('<span class="badge ok">검증 완료</span>')
    // The logs of the whole sale prove the payments that a sample of receipts leaves out.
    expect(shown({ receipts: 'partial' })).toContain('Verified')
  })

  test('incomplete: in amber, names what was not checked, and what the node lacks', () => {
    const html = shown({ completeness: 'skipped', anchor: 'skipped', receipts: 'partial' })
    expect(html).toContain('<span class="badge wait">Incomplete</span>')
    expect(html).toContain('Nothing contradicts this draw, but 3 of 14 checks were not done, or not in full')
    for (const step of ['receipts', 'completeness', 'anchor'] as const)
      expect(html).toContain(en.check.steps[step])
    expect(html).not.toContain(en.check.steps.seed)
    expect(html).toContain('This node serves no logs')
    const korean = shown({ completeness: 'skipped' }, 'ko')
    expect(korean).toContain('<span class="badge wait">검증 미완</span>')
    expect(korean).toContain(ko.check.steps.completeness)
    expect(korean).toContain('로그')
  })

  test('incomplete: by any single check that was not done', () => {
    for (const step of stepsOf('blocks'))
      for (const status of ['skipped', 'unknown', 'partial'] as const)
        if (step !== 'receipts' || status !== 'partial')
          expect([step, status, shown({ [step]: status })]).toEqual([
            step,
            status,
            expect.stringContaining('Incomplete'),
          ])
  })

  test('contradicted: by one failed check, even if others were not done', () => {
    const html = shown({ completeness: 'skipped', terms: 'failed' })
    expect(html).toContain('<span class="badge bad">Contradicted</span>')
    expect(html).toContain('1 of 14 checks failed')
    expect(shown({ terms: 'failed' }, 'ko')).toContain('<span class="badge bad">불일치</span>')
  })

  test('none before the check has ended', () => {
    let lines = begin(waitingLines())
    const none = { verdict: undefined, text: '0 of 14 checks passed', open: [], lacks: [] }
    expect(summaryOf(lines, true)).toEqual(none)
    for (const step of stepsOf('blocks')) lines = applyEvent(lines, result(step, 'passed'))
    expect(summaryOf(lines, true).verdict).toBeUndefined()
    expect(summaryOf(waitingLines(), false)).toMatchObject({
      verdict: undefined,
      text: '14 checks, none run yet',
    })
    // Stopped in the middle: the waiting checks were not done.
    expect(summaryOf(end(applyEvent(begin(waitingLines()), result('form', 'passed'))), false).verdict).toBe(
      'incomplete',
    )
  })
})
