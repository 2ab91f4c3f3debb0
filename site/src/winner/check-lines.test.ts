import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  failed,
  open,
  passed,
  stepsOf,
  type VerifyEvent,
  type VerifyStatus,
} from '../../../core/verify/steps.ts'
import texts from '../messages/en/findings.json'
import { en } from '../texts/en.ts'
import { type Lang, setTexts } from '../texts/index.ts'
import { ko } from '../texts/ko.ts'
import { CheckStep, Verdict } from './CheckPanel.tsx'
import { applyEvent, begin, type CheckLine, countDone, end, summaryOf, waitingLines } from './check.ts'

const states = (lines: readonly CheckLine[]) => lines.map(({ state }) => state)
const apply = (lines: readonly CheckLine[], event: VerifyEvent) => applyEvent(lines, event, texts)
const result = (step: CheckLine['step'], status: VerifyStatus) =>
  ({ passed, failed, open })[status](step, 'listBroken', {})

test('each check is a named line; the first one without a result is running', () => {
  const lines = begin(waitingLines())
  expect(lines.map(({ step, title }) => [step, title])).toEqual(
    stepsOf('blocks').map((step) => [step, en.check.steps[step]]),
  )
  expect(states(lines).slice(0, 3)).toEqual(['checking', 'waiting', 'waiting'])
  expect(states(apply(lines, result('form', 'passed'))).slice(0, 3)).toEqual([
    'passed',
    'checking',
    'waiting',
  ])
})

test('progress appears on its own line, and no second check starts beside it', () => {
  let lines = begin(waitingLines())
  for (const step of ['form', 'terms'] as const) lines = apply(lines, result(step, 'passed'))
  lines = apply(lines, { kind: 'progress', step: 'lines', done: 12_000, total: 100_000 })
  expect(lines[3]).toMatchObject({ state: 'checking', text: '12,000 of 100,000 read' })
  lines = apply(lines, result('list', 'passed'))
  expect(states(lines).filter((state) => state === 'checking')).toHaveLength(1)
})

test('a failed line shows the expected and found values', () => {
  const event = failed('seed', 'otherValue', { field: 'seed', expected: '0xaa', actual: '0xbb' })
  const line = apply(begin(waitingLines()), event).find(({ step }) => step === 'seed') as CheckLine
  const html = renderToStaticMarkup(createElement(CheckStep, { line }))
  for (const text of ['another value of seed', '0xaa', '0xbb', 'Failed']) expect(html).toContain(text)
})

test('the checks of a beacon join the others, in their order, where the draw has one', () => {
  let lines = begin(waitingLines())
  for (const step of stepsOf('blocks+drand')) lines = apply(lines, result(step, 'passed'))
  expect(lines.map(({ step }) => step)).toEqual(stepsOf('blocks+drand'))
  expect(summaryOf(lines, false).verdict).toBe('verified')
})

test('after an unreadable proof no check is running', () => {
  const lines = end(apply(begin(waitingLines()), result('form', 'failed')))
  expect(new Set(states(lines))).toEqual(new Set(['failed', 'open']))
  expect(countDone(lines)).toBe(14)
})

describe('the verdict in the page', () => {
  /** All steps as passed but these, as the panel shows them when the check has ended. */
  function shown(others: Partial<Record<CheckLine['step'], VerifyStatus>>, lang: Lang = 'en') {
    setTexts(lang === 'ko' ? ko : en, lang)
    onTestFinished(() => setTexts(en, 'en'))
    let lines = begin(waitingLines())
    for (const step of stepsOf('blocks')) lines = apply(lines, result(step, others[step] ?? 'passed'))
    return renderToStaticMarkup(createElement(Verdict, { summary: summaryOf(end(lines), false) }))
  }

  test('verified: only when every check was done and passed', () => {
    const html = shown({})
    expect(html).toContain('<span class="badge ok">Verified</span>')
    expect(html).toContain('Verified in your browser, 14 of 14: nobody chose this winner.')
    expect(shown({}, 'ko')).toContain('<span class="badge ok">검증 완료</span>')
  })

  test('incomplete: in amber, names what was not checked', () => {
    const html = shown({ completeness: 'open', 'list-anchor': 'open' })
    expect(html).toContain('<span class="badge wait">Incomplete</span>')
    expect(html).toContain('Nothing contradicts this draw, but 2 of 14 checks could not be done')
    for (const step of ['completeness', 'list-anchor'] as const) expect(html).toContain(en.check.steps[step])
    expect(html).not.toContain(en.check.steps.seed)
    expect(shown({ completeness: 'open' }, 'ko')).toContain('<span class="badge wait">검증 미완</span>')
  })

  test('incomplete: by any single check that was not done', () => {
    for (const step of stepsOf('blocks'))
      expect([step, shown({ [step]: 'open' })]).toEqual([step, expect.stringContaining('Incomplete')])
  })

  test('contradicted: by one failed check, even if others were not done; says once what to do', () => {
    const html = shown({ completeness: 'open', terms: 'failed', seed: 'failed', number: 'failed' })
    expect(html).toContain('<span class="badge bad">Contradicted</span>')
    expect(html).toContain('3 of 14 checks failed')
    const { terms, files } = texts.next
    for (const next of [terms, files]) expect(html.split(next)).toHaveLength(2)
    expect(shown({ terms: 'failed' }, 'ko')).toContain('<span class="badge bad">불일치</span>')
  })

  test('none before the check has ended', () => {
    let lines = begin(waitingLines())
    const none = { verdict: undefined, text: '0 of 14 checks passed', open: [], next: [] }
    expect(summaryOf(lines, true)).toEqual(none)
    for (const step of stepsOf('blocks')) lines = apply(lines, result(step, 'passed'))
    expect(summaryOf(lines, true).verdict).toBeUndefined()
    expect(summaryOf(waitingLines(), false)).toEqual({ ...none, text: '14 checks' })
    // Stopped in the middle: the waiting checks were not done.
    expect(summaryOf(end(apply(begin(waitingLines()), result('form', 'passed'))), false).verdict).toBe(
      'incomplete',
    )
  })
})
