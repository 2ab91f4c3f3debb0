import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type Proof, parseProof } from '../draw/proof.ts'
import { parseTerms, type TermsField, termsFields, termsSha256 } from '../event/terms.ts'
import { checkTerms, type Known, promisedBy } from './terms.ts'

const proof: Proof = parseProof(
  readFileSync(new URL('../draw/vectors/event.proof.json', import.meta.url), 'utf8'),
)
const line = proof.terms
const lineWith = (change: Partial<Record<TermsField, string>>) => {
  const values = { ...parseTerms(line), ...change } as Record<TermsField, string>
  return `blockdraw-terms-2,${termsFields.map((field) => values[field]).join()}\n`
}
const undated = lineWith({ saleEnd: 'none', drawDate: 'none' })

function check(known: Known, { terms = line, ...change }: Partial<Proof> = {}) {
  const promised = promisedBy(terms, change.formerWallets ?? [])
  if (!promised) throw new Error('no terms')
  const told = { ...proof, termsSha256: termsSha256(terms), ...change }
  const { status, finding, values } = checkTerms(promised, told, known)
  return [status, finding, 'field' in values ? values.field : undefined].filter(Boolean).join(' ')
}

test('only the dated line that was kept, to the letter, proves the terms', () => {
  expect(check({ kept: [line] })).toBe('passed termsKept')
  expect(check({ kept: [undated, line] })).toBe('passed termsKept')
  expect(check({ kept: [lineWith({ eventNumber: '2', drawDate: '1' }), line] })).toBe('passed termsKept')
  expect(check({ kept: [undated] })).toBe('open keptBeforeDate')
  expect(check({})).toBe('open noLineKept')
  expect(check({ kept: [lineWith({ eventNumber: '2' })] })).toBe('open noLineKept')
})

test.each(termsFields.filter((field) => field !== 'eventNumber'))(
  'another %s than the kept one contradicts',
  (field) => {
    const other = (parseTerms(line) as Record<TermsField, string>)[field]
    const changes: Partial<Record<TermsField, string>> = {
      ...{ autoDraw: 'false', entropy: 'blocks+drand', anchorWallet: `0x${'a'.repeat(40)}` },
      ...{ token: `0x${'b'.repeat(40)}`, operatorWallet: `0x${'c'.repeat(40)}`, book: `0x${'d'.repeat(64)}` },
      ...{ formerWalletsSha256: `0x${'e'.repeat(64)}`, contentSha256: `0x${'f'.repeat(64)}` },
    }
    const kept = lineWith({ [field]: changes[field] ?? `${BigInt(other) + 1n}` })
    expect(check({ kept: [line, kept] })).toBe(`failed keptDiffers ${field}`)
  },
)

test('a line from before the date may lack the date alone', () => {
  expect(check({ kept: [lineWith({ saleEnd: 'none', drawDate: 'none', minTickets: '7' })] })).toBe(
    'failed keptDiffers minTickets',
  )
  expect(check({ kept: [lineWith({ drawDate: 'none' })] })).toBe('failed keptDiffers drawDate')
  expect(check({ kept: ['blockdraw-terms-1,1\n'] })).toBe('failed noTermsLine')
})

test('what the proof says beside its line has to fit it, and tickets are paid in USDT on chain 56', () => {
  const kept = { kept: [line] }
  expect(check(kept, { termsSha256: `0x${'0'.repeat(64)}` })).toBe('failed otherValue termsSha256')
  expect(check(kept, { formerWallets: [`0x${'1'.repeat(40)}`] })).toBe(
    'failed otherValue formerWalletsSha256',
  )
  expect(check(kept, { entropy: 'blocks+drand' })).toBe('failed otherValue entropy')
  const terms = lineWith({ token: `0x${'2'.repeat(40)}` })
  expect(check({ kept: [terms] }, { terms })).toBe('failed notUsdt')
  expect(check({ kept: [terms], token: `0x${'2'.repeat(40)}` }, { terms })).toBe('passed termsKept')
  expect(check(kept, { ticketsSold: 99 })).toBe('failed minimumMissed')
})
