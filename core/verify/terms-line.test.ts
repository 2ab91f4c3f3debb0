import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parseProof } from '../draw/proof.ts'
import { checkTerms } from './blocks.ts'

const text = readFileSync(new URL('../draw/vectors/event.proof.json', import.meta.url), 'utf8')
const proof = parseProof(text)
const values = proof.terms.trim().split(',')
/** The line with other values, by their places. */
const line = (change: Record<number, string>) =>
  `${values.map((value, place) => change[place] ?? value).join()}\n`
const withoutDates = { 8: 'none', 9: 'none', 10: 'none', 11: 'none' }

test('a proof whose terms line says something else is wrong by itself', () => {
  expect(checkTerms({ ...proof, terms: line({ 6: '4' }) }, {})).toMatchObject({
    status: 'failed',
    text: 'The terms line has another ticketPrice than the proof.',
  })
  expect(() => parseProof(text.replace('blockdraw-terms-1', 'blockdraw-terms-9'))).toThrow('terms')
})

test('the line that a buyer kept settles the terms, also where the rules let a date or the minimum change', () => {
  expect(checkTerms(proof, { terms: proof.terms })).toMatchObject({ status: 'passed' })
  expect(checkTerms(proof, { terms: line({ 12: '200' }) })).toMatchObject({
    status: 'passed',
    text: expect.stringContaining('Changed as the rules allow: minTickets.'),
  })
  expect(checkTerms(proof, { terms: line(withoutDates) })).toMatchObject({ status: 'partial' })
})

test('a date that was moved earlier and then later is measured from the first one, which the browser kept', () => {
  const day = 86_400
  const moved = line({
    8: `${Number(values[8]) - 40 * day}`,
    9: `${Number(values[9]) - 40 * day}`,
    10: `${Number(values[10]) - 40 * day}`,
  })
  expect(checkTerms(proof, { terms: moved })).toMatchObject({ status: 'failed' })
  const firstDrawDate = new Date(Date.parse(proof.drawDate) - 20 * day * 1000).toISOString()
  expect(checkTerms(proof, { terms: moved, firstDrawDate })).toMatchObject({ status: 'passed' })
})

test('a broken promise is named and contradicts', () => {
  for (const [place, field, value] of [
    [4, 'operatorWallet', `0x${'ee'.repeat(20)}`],
    [6, 'ticketPrice', '7'],
    [7, 'saleStart', '7'],
    [12, 'minTickets', '7'],
    [13, 'autoDraw', 'false'],
  ] as const)
    expect(checkTerms(proof, { terms: line({ [place]: value }) })).toMatchObject({
      status: 'failed',
      text: expect.stringContaining(field),
    })
  expect(checkTerms(proof, { terms: 'anything' })).toMatchObject({ status: 'failed' })
})
