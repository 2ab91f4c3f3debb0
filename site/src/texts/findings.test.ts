import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { failed, open, passed } from '../../../core/verify/steps.ts'
import en from '../messages/en/findings.json'
import ko from '../messages/ko/findings.json'
import { sentenceOf, statementOf } from './findings.ts'

test('a sentence holds its values: counts with separators, numbers of blocks without, times in UTC, money in USDT', () => {
  const whole = passed('form', 'proofWhole', { event: 12, tickets: 12_377, drawDate: 2_705_918_400 })
  expect(sentenceOf(en, whole)).toBe('Event 12, 12,377 tickets, drawn at 2055-09-30 12:00:00 UTC.')
  const chain = passed('chain', 'chainRight', { chain: 56, block: 71_234_567 })
  expect(sentenceOf(ko, chain)).toBe('체인 56, 블록 71234567까지 확정.')
  const count = failed('lines', 'lineCount', { line: 1_200, tickets: 34, units: `99${'0'.repeat(18)}` })
  expect(statementOf(en, count).text).toBe(
    'Line 1200 of the ticket list has 34 tickets, and 99 USDT buys another number.',
  )
})

test('a failure shows what was expected and found, and says what to do; a step that is open says it in its sentence', () => {
  const values = { field: 'drawDate', expected: '2705918400', actual: 'none' }
  expect(statementOf(en, failed('terms', 'keptDiffers', values), { drawDate: 'draw date' })).toEqual({
    text: 'This is not what was promised at the purchase: draw date.',
    difference: { expected: '2055-09-30 12:00:00 UTC', actual: 'none' },
    next: en.next.terms,
  })
  const seed = failed('seed', 'otherValue', { field: 'seed', expected: '0xaa', actual: '0xbb' })
  expect(sentenceOf(en, seed)).toBe(
    `What is shown gives another value of seed than the proof says. Expected 0xaa, found 0xbb. ${en.next.files}`,
  )
  const later = failed('draw-block', 'drawBlockLater', { block: 7 })
  expect(statementOf(en, later)).toEqual({ text: expect.stringContaining('Block 7'), next: en.next.node })
  expect(statementOf(en, open('completeness', 'noLogs', {}))).toEqual({ text: en.findings.noLogs })
})

test('each sentence holds only values that its finding has', () => {
  const source = readFileSync(join(import.meta.dirname, '../../../core/verify/steps.ts'), 'utf8')
  const [, type = ''] = /FindingValues = \{(.*?)\n\}/s.exec(source) ?? []
  const values = new Map(
    [...type.matchAll(/^ {2}(\w+): (.*)$/gm)].map(([, name, held = '']) => [
      name,
      [...held.matchAll(/(\w+): /g)].map(([, value]) => value),
    ]),
  )
  for (const { findings } of [en, ko]) {
    expect([...values.keys()].sort()).toEqual(Object.keys(findings).sort())
    for (const [name, sentence] of Object.entries(findings))
      for (const [, hole] of sentence.matchAll(/\{(\w+)\}/g))
        expect([name, values.get(name)]).toEqual([name, expect.arrayContaining([hole])])
  }
})
