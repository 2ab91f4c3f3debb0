import { expect, test } from 'vitest'
import { parseTerms, termsFields } from '../../../core/event/terms.ts'
import { eachTestWithStorage } from '../../../e2e/lab/browser-storage.ts'
import { termsOf } from '../../../e2e/lab/told.ts'
import { keepDatedTerms, keepTerms, keptLines } from './kept-terms.ts'

const book = `0x${'b'.repeat(64)}` as const
const other = `0x${'c'.repeat(64)}` as const
const undated = termsOf()
const datedAt = (drawDate: number) =>
  `blockdraw-terms-2,${termsFields
    .map((field) => ({ ...parseTerms(undated), saleEnd: '1000', drawDate: `${drawDate}` })[field])
    .join()}\n`
const saleEndDate = '1970-01-01T00:16:40.000Z'
const shown = (terms: string) => ({
  ...{ eventNumber: 1, book, terms },
  saleEndDate: parseTerms(terms)?.saleEnd === 'none' ? null : saleEndDate,
})

eachTestWithStorage()

test('a purchase keeps its line once, and lines of other events and books stay beside it', () => {
  keepTerms(shown(undated))
  keepTerms(shown(undated))
  keepTerms({ eventNumber: 2, book, terms: 'second\n' })
  keepTerms({ eventNumber: 1, book: other, terms: 'other\n' })
  expect(keptLines(1, book)).toEqual([undated])
  expect(keptLines(1, null)).toEqual([undated, 'other\n'])
  expect(keptLines(2, book)).toEqual(['second\n'])
})

test('the dated line is kept beside that of a purchase without a date, until the sale ends, and no later one', () => {
  keepDatedTerms(shown(datedAt(2_000)), 0)
  expect(keptLines(1, book)).toEqual([])
  keepTerms(shown(undated))
  keepDatedTerms(shown(undated), 0)
  keepDatedTerms(shown(datedAt(2_000)), 1_000_000)
  expect(keptLines(1, book)).toEqual([undated])
  keepDatedTerms(shown(datedAt(2_000)), 999_999)
  keepDatedTerms(shown(datedAt(3_000)), 999_999)
  expect(keptLines(1, book)).toEqual([undated, datedAt(2_000)])
})
