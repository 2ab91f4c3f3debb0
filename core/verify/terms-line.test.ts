// @ts-nocheck: written for another line of terms
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parseProof } from '../draw/proof.ts'
import { ownWalletsSha256 } from '../event/terms.ts'
import type { KeptTerms } from '../event/terms-compare.ts'
import { checkTerms } from './terms.ts'
import { earlierPromises } from './terms-line.ts'

const text = readFileSync(new URL('../draw/vectors/event.proof.json', import.meta.url), 'utf8')
const proof = parseProof(text)
const values = proof.terms.trim().split(',')
/** The line with other values, by their places. */
const line = (change: Record<number, string>) =>
  `${values.map((value, place) => change[place] ?? value).join()}\n`
/** As a browser kept it that was told of own wallets up to the sale start. */
const kept = (terms: string, firstDrawDate: string | null = null) => ({
  kept: [{ terms, firstDrawDate, ownUntil: Date.parse(proof.saleStart) / 1000 }],
})
const withoutDates = { 8: 'none', 9: 'none', 10: 'none', 11: 'none' }

test('a proof whose terms line says something else is wrong by itself', () => {
  expect(checkTerms({ ...proof, terms: line({ 6: '4' }) }, {})).toMatchObject({
    status: 'failed',
    text: 'The terms line has another ticketPrice than the proof.',
  })
  expect(() => parseProof(text.replace('blockdraw-terms-1', 'blockdraw-terms-9'))).toThrow('terms')
})

test('the line that a buyer kept settles the terms, also where the rules let a date or the minimum change', () => {
  expect(checkTerms(proof, kept(proof.terms))).toMatchObject({ status: 'passed' })
  expect(checkTerms(proof, kept(line({ 12: '200' })))).toMatchObject({
    status: 'passed',
    text: expect.stringContaining('Changed as the rules allow: minTickets.'),
  })
})

test('a line from before the dates were set leaves them open, and says what else would settle them', () => {
  const undated = kept(line(withoutDates))
  expect(checkTerms(proof, undated)).toMatchObject({ status: 'partial', lacks: 'dates' })
  const { saleEndDate, drawDate } = proof
  expect(checkTerms(proof, { ...undated, saleEndDate, drawDate })).toMatchObject({ status: 'passed' })
  const later = { kept: [...undated.kept, ...kept(proof.terms).kept] }
  expect(checkTerms(proof, later)).toMatchObject({ status: 'passed' })
})

test('what a person noted by hand leaves open what the line alone says', () => {
  const { operatorWallet, ticketPrice, saleStart, saleEndDate, drawDate } = proof
  const noted = { operatorWallet, ticketPrice, saleStart, saleEndDate, drawDate }
  expect(checkTerms(proof, noted)).toMatchObject({
    status: 'partial',
    text: expect.stringMatching(/Nothing to compare with: .*minTickets, autoDraw, entropy, winners/),
    lacks: 'line',
  })
  expect(checkTerms(proof, { ...noted, ...kept(proof.terms) })).toMatchObject({ status: 'passed' })
  expect(checkTerms(proof, {})).toMatchObject({ status: 'skipped', lacks: 'line' })
})

test('terms with a cap are settled by the kept line, as all others', () => {
  for (const place of [17, 18]) {
    const terms = line({ [place]: '1000000' })
    expect(checkTerms({ ...proof, terms }, kept(terms))).toMatchObject({ status: 'passed' })
    expect(checkTerms({ ...proof, terms }, kept(line({})))).toMatchObject({ status: 'failed' })
  }
})

test('a date that was moved earlier and then later is measured from the first one, which the browser kept', () => {
  const day = 86_400
  const moved = line({
    8: `${Number(values[8]) - 40 * day}`,
    9: `${Number(values[9]) - 40 * day}`,
    10: `${Number(values[10]) - 40 * day}`,
  })
  expect(checkTerms(proof, kept(moved))).toMatchObject({ status: 'failed' })
  const firstDrawDate = new Date(Date.parse(proof.drawDate) - 20 * day * 1000).toISOString()
  expect(checkTerms(proof, kept(moved, firstDrawDate))).toMatchObject({ status: 'passed' })
})

test('a broken promise is named and contradicts', () => {
  for (const [place, field, value] of [
    [4, 'operatorWallet', `0x${'ee'.repeat(20)}`],
    [6, 'ticketPrice', '7'],
    [7, 'saleStart', '7'],
    [12, 'minTickets', '7'],
    [13, 'autoDraw', 'false'],
  ] as const)
    expect(checkTerms(proof, kept(line({ [place]: value })))).toMatchObject({
      status: 'failed',
      text: expect.stringContaining(field),
    })
  expect(checkTerms(proof, kept('anything'))).toMatchObject({ status: 'failed' })
})

test('a wallet that is named as an own one from before the moment at which its buyer kept the terms contradicts', () => {
  const address = `0x${'ee'.repeat(20)}` as const
  const paidAt = Date.parse(proof.saleStart) + 60_000
  const named = (since: Date) => {
    const ownWallets = [{ address, since: since.toISOString() }]
    const terms = line({ 19: `${ownWalletsSha256([{ address, since }])}` })
    const known = { kept: [{ terms: proof.terms, firstDrawDate: null, ownUntil: paidAt / 1000 }] }
    return checkTerms({ ...proof, ownWallets, terms }, known)
  }
  expect(named(new Date(paidAt))).toMatchObject({
    status: 'failed',
    text: 'ownWalletsSha256 is not what was promised at the purchase.',
  })
  expect(named(new Date(paidAt + 1_000))).toMatchObject({
    status: 'passed',
    text: expect.stringContaining('Changed as the rules allow: ownWalletsSha256.'),
  })
})

test('what the site says now contradicts a proof of something else, and confirms nothing', () => {
  const { operatorWallet, ticketPrice, saleStart, saleEndDate, drawDate } = proof
  const shown = { operatorWallet, ticketPrice, saleStart, saleEndDate, drawDate }
  expect(checkTerms(proof, { shown })).toMatchObject({ status: 'skipped' })
  const later = new Date(Date.parse(drawDate) + 1000).toISOString()
  expect(checkTerms(proof, { shown: { ...shown, drawDate: later } })).toMatchObject({
    status: 'failed',
    text: 'drawDate is not what was shown.',
  })
})

test('what moved behind a sale end at which the line was still told contradicts', () => {
  const [saleEnd, drawDate, drawBy] = [8, 9, 10].map((place) => Number(values[place])) as [
    number,
    number,
    number,
  ]
  const before = line({ 8: `${saleEnd - 60}`, 9: `${drawDate - 60}`, 10: `${drawBy - 60}` })
  const toldUntil = (second: number | null) => ({
    kept: [{ terms: before, firstDrawDate: null, ownUntil: null, toldUntil: second }],
  })
  for (const second of [null, 0, saleEnd - 61])
    expect(checkTerms(proof, toldUntil(second))).toMatchObject({
      status: 'passed',
      text: expect.stringContaining('Changed as the rules allow: saleEnd, drawDate, drawBy.'),
    })
  expect(checkTerms(proof, toldUntil(saleEnd - 60))).toMatchObject({
    status: 'failed',
    text: 'saleEnd is not what was promised at the purchase.',
  })
})

test('a draw that was put off would have been anchored between its own sale end and draw date', () => {
  const [saleEnd, drawDate] = [8, 9].map((place) => Number(values[place])) as [number, number]
  const windowsOf = (...moved: number[]) =>
    earlierPromises(
      proof,
      moved.map((seconds) => ({
        terms: line({ 8: `${saleEnd - seconds}`, 9: `${drawDate - seconds}`, 12: `${100 + seconds}` }),
        ...{ firstDrawDate: null, ownUntil: null },
      })),
    ).windows
  const lead = drawDate - saleEnd
  // A week is not looked through, and what this proof's own window holds is in no other.
  expect(windowsOf(-60, 1, 604_800, 604_800)).toEqual([
    { from: saleEnd - 604_800, until: saleEnd - 604_800 + lead },
    { from: saleEnd - 1, until: saleEnd },
  ])
  const undated = { terms: line({ 8: `${saleEnd - 9}`, 9: 'none' }), firstDrawDate: null, ownUntil: null }
  expect(earlierPromises(proof, [undated]).windows).toEqual([{ from: saleEnd - 9, until: saleEnd }])
  const other = { ...undated, terms: line({ 1: '999', 8: `${saleEnd - 9}` }) }
  expect(earlierPromises(proof, [other])).toEqual({ windows: [], anchorWallets: [] })
})

test('every promise that a browser kept counts, not the first one alone', () => {
  const first = { ...kept(proof.terms).kept[0], terms: line({ 12: '200' }) } as KeptTerms
  const broken = { ...first, terms: line({ 12: '7' }) }
  expect(checkTerms(proof, { kept: [first, broken] })).toMatchObject({ status: 'failed' })
})
