import { expect, test } from 'vitest'
import { inlineStyles } from './finish.ts'

const html =
  '<head><link rel="icon" href="/i.svg"><link rel="preload" href="/_astro/besley-1.woff2" as="font" crossorigin><link rel="preload" href="/_astro/pretendard-1.woff2" as="font" crossorigin><link rel="stylesheet" href="/_astro/a.css"></head>'
/** Each file's text is its own address, except for style sheets. */
const files = (css: string) => (href: string) => Buffer.from(href.endsWith('.css') ? css : href)
const data = (href: string) => `url(data:font/woff2;base64,${Buffer.from(href).toString('base64')})`

test('a style sheet replaces its link; other links stay', () => {
  const page = inlineStyles(html, files('p{content:"$&"}\n'))
  expect(page).toBe(
    html.replace('<link rel="stylesheet" href="/_astro/a.css">', () => '<style>p{content:"$&"}</style>'),
  )
})

test('typefaces of the first view are inline, not fetched; only Korean pages hold the one for Hangul', () => {
  const face = (name: string) =>
    `@font-face{font-display:swap;src:url(/_astro/${name}-1.woff2) format("woff2")}`
  const inside = (name: string) =>
    face(name)
      .replace('swap', 'block')
      .replace(`url(/_astro/${name}-1.woff2)`, data(`/_astro/${name}-1.woff2`))
  const css = face('besley') + face('pretendard')
  const page = inlineStyles(html, files(css))
  expect(page).toContain(`<style>${inside('besley')}${face('pretendard')}</style>`)
  expect(page).not.toContain('href="/_astro/besley-1.woff2"')
  expect(page).toContain('href="/_astro/pretendard-1.woff2"')
  const korean = inlineStyles(`<html lang="ko">${html}`, files(css))
  expect(korean).toContain(`<style>${face('besley')}${inside('pretendard')}</style>`)
})

test('a style sheet that would close its own element is refused', () => {
  expect(() => inlineStyles(html, files('p{content:"</STYLE>"}'))).toThrow('cannot be written')
})
