import { expect, test } from 'vitest'
import { withPreloads } from './preload.ts'

test('static imports of a script get a preload before it; dynamic imports do not', () => {
  const script =
    'import{a as b}from"./page.1.js";import"./theme.2.js";const c=()=>import("./Overlay.3.js");b(c)'
  const tag = '<script type="module" src="/_astro/a.js"></script>'
  expect(withPreloads(`<body>${tag}`, () => Buffer.from(script))).toBe(
    '<body><link rel="modulepreload" href="/_astro/page.1.js" fetchpriority="low"><link rel="modulepreload" href="/_astro/theme.2.js" fetchpriority="low"><script fetchpriority="low" type="module" src="/_astro/a.js"></script>',
  )
})
