import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { formed, rich, t } from './t.ts'

test('a sentence keeps its elements in their places, and plain values are texts of it', () => {
  const found = rich('추첨: {utc} (한국 {korea})', {
    utc: createElement('b', {}, '2025-09-30 UTC'),
    korea: '21:00',
  })
  expect(renderToStaticMarkup(found)).toBe('추첨: <b>2025-09-30 UTC</b> (한국 21:00)')
})

test('a text is Korean unless English was chosen, with its values', () => {
  expect(t('처음 {count}건', { count: 1_234 })).toBe('처음 1,234건')
})

test('an English text has the form of its number', () => {
  const text = '{count} {count:ticket is|tickets are} sold'
  expect(formed(text, { count: 1 })).toBe('{count} ticket is sold')
  expect(formed(text, { count: '1' })).toBe('{count} ticket is sold')
  expect(formed(text, { count: '1,001' })).toBe('{count} tickets are sold')
  expect(formed(text, { count: 0 })).toBe('{count} tickets are sold')
})
