import { expect, test } from 'vitest'
import { parseTerms, termsFields, termsLine } from '../../../core/event/terms.ts'
import { ko } from '../texts/ko.ts'
import { termText } from './term-text.ts'

const operatorWallet = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

test('each value of the terms can be read: amounts, dates, counts, and what is not set', () => {
  const line = termsLine({
    ...{ eventNumber: 1234, chainId: 56, token: operatorWallet, operatorWallet, anchorWallet: null },
    ...{ ticketPrice: 2_500_000_000_000_000_000n, saleStart: new Date('2055-01-01T00:00:00Z') },
    ...{ saleEnd: new Date('2055-01-30T12:00:00Z'), drawDate: new Date('2055-01-31T12:00:00Z') },
    ...{ book: null, minTickets: 10_000, autoDraw: true, entropy: 'blocks+drand' as const },
    ...{ winners: 3, claimDays: 30, formerWallets: [] },
    contentSha256: `0x${'ab'.repeat(32)}`,
  })
  const terms = parseTerms(line) ?? expect.fail('no terms line')
  expect(Object.fromEntries(termsFields.map((field) => [field, termText(field, terms[field])]))).toEqual({
    book: 'Not Set',
    eventNumber: '1234',
    chainId: 'BNB Smart Chain (56)',
    token: '0x7099…79c8',
    operatorWallet: '0x7099…79c8',
    anchorWallet: 'None',
    ticketPrice: '2.50 USDT',
    saleStart: 'January 1, 2055 at 12:00 AM UTC',
    saleEnd: 'January 30, 2055 at 12:00 PM UTC',
    drawDate: 'January 31, 2055 at 12:00 PM UTC',
    minTickets: '10,000',
    autoDraw: 'By itself at the draw date',
    entropy: 'Five block hashes and a round of drand',
    winners: '3',
    claimDays: '30 days',
    formerWalletsSha256: 'None',
    contentSha256: 'As the page tells it, SHA-256 0xabababab…abababab',
  })
})

test('an event from before contents were kept says so, in both languages', () => {
  expect(termText('contentSha256', 'none')).toBe('Not part of the terms')
  expect(ko.terms.unset.contentSha256).toBe('조건에 포함되지 않음')
  expect(ko.terms.content).toContain('SHA-256 {hash}')
})
