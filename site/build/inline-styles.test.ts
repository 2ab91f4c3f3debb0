import { expect, test } from 'vitest'
import { inlineStyles } from './inline-styles.ts'

const html = '<head><link rel="icon" href="/i.svg"><link rel="stylesheet" href="/_astro/a.css"></head>'

test('a style sheet takes the place of its link; other links stay', () => {
  expect(inlineStyles(html, (href) => `p{content:"$&${href}"}\n`)).toBe(
    '<head><link rel="icon" href="/i.svg"><style>p{content:"$&/_astro/a.css"}</style></head>',
  )
})

test('a sheet that would end its element is refused', () => {
  expect(() => inlineStyles(html, () => 'p{content:"</STYLE>"}')).toThrow('cannot be written')
})
