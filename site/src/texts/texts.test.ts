import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { firstEventContent } from '../../../core/content/first-event.ts'
import * as content from '../content/site.ts'
import { eventWords as eventsEnglish } from './en/event.ts'
import { house as houseEnglish } from './en/house.ts'
import { en } from './en/index.ts'
import { still as stillEnglish } from './en/still.ts'
import { eventWords as eventsKorean } from './ko/event.ts'
import { house as houseKorean } from './ko/house.ts'
import { ko } from './ko/index.ts'
import { still as stillKorean } from './ko/still.ts'
import { translated } from './patterns.ts'

type Words = { [name: string]: string | Words }

/** Every text with its path. */
function textsIn(words: Words, path = ''): [path: string, text: string][] {
  return Object.entries(words).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' ? [[`${path}${name}`, value]] : textsIn(value, `${path}${name}.`),
  )
}
const holes = (text: string) => [...new Set(text.match(/\{\w+\}/g))].sort()
/** Tables that only one language has. */
const oneSided = /^(errors|check\.findings|changes\.values)\./

test.each([
  ['the living parts', en, ko],
  ['the page itself', stillEnglish, stillKorean],
  ['what is filled in', eventsEnglish, eventsKorean],
  ['rules of the land', houseEnglish, houseKorean],
])('%s: each text has its other language, with the same values in it', (_, english, korean) => {
  const wanted = textsIn(english as never).filter(([path]) => !oneSided.test(path))
  const found = textsIn(korean as never).filter(([path]) => !oneSided.test(path))
  expect(found.map(([path, text]) => [path, holes(text)])).toEqual(
    wanted.map(([path, text]) => [path, holes(text)]),
  )
  for (const [path, text] of found)
    if (!/(^|\.)(locale|whole|time|otherLanguage|area|ticketLine|blockRange)$/.test(path))
      expect([path, text]).toEqual([path, expect.stringMatching(/[가-힣]/)])
})

test('every text that an operator edits is in both languages', () => {
  const both = (value: unknown): Record<string, unknown>[] =>
    typeof value !== 'object' || value === null
      ? []
      : 'en' in value
        ? [value as Record<string, unknown>]
        : Object.values(value).flatMap(both)
  const pairs = both([content, firstEventContent])
  expect(pairs.length).toBeGreaterThan(20)
  for (const { en: english, ko: korean } of pairs)
    expect([english, typeof korean, Boolean(korean)]).toEqual([english, typeof english, Boolean(english)])
})

/** Every sentence in the verifier's source, with 7 in place of each value. */
function verifierSentences(): string[] {
  const dir = resolve(import.meta.dirname, '../../../core/verify')
  const files = readdirSync(dir).filter((name) => !name.endsWith('.test.ts'))
  const source = files.map((name) => readFileSync(join(dir, name), 'utf8')).join('\n')
  const calls =
    /(?:(?:passed|failed|partial|skipped)\(\s*(?:'[\w-]+'|step),|'skipped',|return|(?:problem|trouble) (?:\?\?)?=|&&|\?|:)\s*(['`])((?:(?!\1)[^\\]|\\.)+)\1/g
  const found = [...source.matchAll(calls)]
    .map(([, , text = '']) => text)
    .filter((text) => / .*\.$/.test(text))
  return found.map((text) => text.replace(/\$\{(?:[^{}]|\{[^}]*\})*\}/g, '7'))
}

test('every finding of the verifier has a Korean sentence', () => {
  // Formulas need no translation; sentences built from parts are tested as a whole.
  const sentences = verifierSentences().filter((text) => !/^7(: | mod )|^Transfers of 7 of/.test(text))
  for (const share of ['all 12 blocks', '7 of 12 blocks, chosen at random'])
    for (const own of ['', " Left out as the operator's own: 2 of 0xab, 1 of 0xcd."])
      sentences.push(`Transfers of ${share} of the sale: exactly the payments of the list.${own}`)
  for (const share of [
    'Every payment (12)',
    "7 of 12 payments, chosen at random, with the first, the last and the winner's",
  ])
    sentences.push(`${share}: transaction, place, payer, amount and time are those of the chain.`)
  expect(sentences.length).toBeGreaterThan(25)
  for (const text of sentences)
    expect([text, translated(text, ko.check.findings)]).toEqual([text, expect.stringMatching(/[가-힣]/)])
})

test('a translated sentence keeps its values, and one without a pattern stays unchanged', () => {
  expect(translated('Chain 56, final up to block 71234567.', ko.check.findings)).toBe(
    '체인 56, 블록 71234567까지 확정.',
  )
  expect(
    translated(
      'Every payment (12): transaction, place, payer, amount and time are those of the chain.',
      ko.check.findings,
    ),
  ).toContain('12')
  expect(translated('Something new.', ko.check.findings)).toBe('Something new.')
})
