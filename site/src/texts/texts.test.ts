import { expect, test } from 'vitest'
import { firstEventContent } from '../../../core/content/first-event.ts'
import eventsEnglish from '../messages/en/event.json'
import findingsEnglish from '../messages/en/findings.json'
import houseEnglish from '../messages/en/house.json'
import stillEnglish from '../messages/en/still.json'
import eventsKorean from '../messages/ko/event.json'
import findingsKorean from '../messages/ko/findings.json'
import houseKorean from '../messages/ko/house.json'
import stillKorean from '../messages/ko/still.json'
import { en } from './en.ts'
import { ko } from './ko.ts'

type Words = { [name: string]: string | Words }

/** Every text with its path. */
function textsIn(words: Words, path = ''): [path: string, text: string][] {
  return Object.entries(words).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' ? [[`${path}${name}`, value]] : textsIn(value, `${path}${name}.`),
  )
}
const holes = (text: string) => [...new Set(text.match(/\{\w+\}/g))].sort()
/** Tables that only one language has. */
const oneSided = /^(errors|changes\.values)\./

test.each([
  ['the living parts', en, ko],
  ['the page itself', stillEnglish, stillKorean],
  ['what is filled in', eventsEnglish, eventsKorean],
  ['rules of the land', houseEnglish, houseKorean],
  ['what the verifier finds', findingsEnglish, findingsKorean],
])('%s: each text has its other language, with the same values in it', (_, english, korean) => {
  const wanted = textsIn(english as never).filter(([path]) => !oneSided.test(path))
  const found = textsIn(korean as never).filter(([path]) => !oneSided.test(path))
  expect(found.map(([path, text]) => [path, holes(text)])).toEqual(
    wanted.map(([path, text]) => [path, holes(text)]),
  )
  for (const [path, text] of found)
    if (!/(^|\.)(locale|whole|time|otherLanguage|area|ticketLine|blockRange|numberRight)$/.test(path))
      expect([path, text]).toEqual([path, expect.stringMatching(/[가-힣]/)])
})

test('every text that an operator edits is in both languages', () => {
  const both = (value: unknown): Record<string, unknown>[] =>
    typeof value !== 'object' || value === null
      ? []
      : 'en' in value
        ? [value as Record<string, unknown>]
        : Object.values(value).flatMap(both)
  const pairs = both(firstEventContent)
  expect(pairs.length).toBeGreaterThan(15)
  for (const { en: english, ko: korean } of pairs)
    expect([english, typeof korean, Boolean(korean)]).toEqual([english, typeof english, Boolean(english)])
})
