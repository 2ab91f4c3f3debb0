import { expect, test } from 'vitest'
import { withLaterScripts, withPreloads } from './finish.ts'

const script =
  'import{a as b}from"./page.1.js";import"./theme.2.js";const c=()=>import("./Overlay.3.js");b(c)'
const read = () => Buffer.from(script)
const tag = '<script type="module" src="/_astro/a.js"></script>'

test('static imports of a script get a preload before it; dynamic imports do not', () => {
  expect(withPreloads(`<body>${tag}`, read)).toBe(
    '<body><link rel="modulepreload" href="/_astro/page.1.js" fetchpriority="low"><link rel="modulepreload" href="/_astro/theme.2.js" fetchpriority="low"><script fetchpriority="low" type="module" src="/_astro/a.js"></script>',
  )
})

test('of a public page nothing is asked for while it is read: one inline script starts the others, with their imports', () => {
  const page = withLaterScripts(`<body>${tag}</body>`, read)
  expect(page).not.toMatch(/type="module"|modulepreload|src=/)
  expect(page).toMatch(/^<body><script>;\(\(addresses\) => \{[\s\S]+<\/script><\/body>$/)
  expect(page).toContain('(["/_astro/page.1.js","/_astro/theme.2.js","/_astro/a.js"])</script>')
})

test('the inline script imports when the first view was painted, in a background tab at once, and never twice', async () => {
  const started: string[] = []
  const open = (visibilityState: string) => {
    started.length = 0
    const text = /<script>([\s\S]+)<\/script>/.exec(withLaterScripts(tag, () => Buffer.from('')))?.[1] ?? ''
    let tell = (_: string[]) => {}
    class Observer {
      constructor(heard: (list: unknown) => void) {
        tell = (names) => heard({ getEntriesByName: (name: string) => names.filter((each) => each === name) })
      }
      observe() {}
    }
    const run = new Function(
      ...['document', 'PerformanceObserver', 'addEventListener', 'ask'],
      text.replace('import(', 'ask('),
    )
    run(
      { visibilityState },
      Observer,
      () => {},
      async (address: string) => started.push(address),
    )
    return tell
  }
  const tell = open('visible')
  tell(['first-paint'])
  expect(started).toEqual([])
  tell(['first-contentful-paint'])
  tell(['first-contentful-paint'])
  expect(started).toEqual(['/_astro/a.js'])
  open('hidden')
  expect(started).toEqual(['/_astro/a.js'])
})
