import { expect, test } from 'vitest'
import { legalBlocks } from './legal-blocks.ts'

test('headings and paragraphs are told apart, and everything else stays text', () => {
  expect(legalBlocks('## One\nFirst.\nSecond.\n\n\nThird.\n##No\n## \n## Two')).toEqual([
    { kind: 'heading', text: 'One' },
    { kind: 'paragraph', text: 'First.\nSecond.' },
    { kind: 'paragraph', text: 'Third.\n##No\n## ' },
    { kind: 'heading', text: 'Two' },
  ])
  expect(legalBlocks('<b>not bold</b>')).toEqual([{ kind: 'paragraph', text: '<b>not bold</b>' }])
  expect(legalBlocks('')).toEqual([])
})
