import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { pageHeaders } from '../../core/server/page-headers.ts'
import { headersFile, headersOf, headersSnippet } from './site-headers.ts'

const dir = mkdtempSync(join(tmpdir(), 'blockdraw-headers-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

/** `_headers` as a CDN reads it: a path, then indented headers, for every rule. */
function parse(text: string) {
  return text
    .trim()
    .split(/\n(?=\/)/)
    .map((rule) => {
      const [path = '', ...lines] = rule.trim().split('\n')
      return {
        path,
        without: lines.flatMap((line) => /^ {2}! ([a-z-]+)$/.exec(line)?.[1] ?? []),
        headers: Object.fromEntries(
          lines.flatMap((line) =>
            [/^ {2}([a-z-]+): (.+)$/.exec(line)?.slice(1) ?? []].filter(({ length }) => length),
          ),
        ),
      }
    })
}

test('3.4.x: the CDN sends headers against framing, MIME sniffing and referrers', () => {
  const [all] = parse(headersFile())
  expect(all).toMatchObject({
    path: '/*',
    headers: { ...pageHeaders, 'strict-transport-security': expect.stringMatching(/^max-age=31536000/) },
  })
})

test('no header is set by two overlapping rules, as hosts would join the values', () => {
  const rules = parse(headersFile())
  const isWithin = (path: string, wide: string) => path.startsWith(wide.slice(0, -1))
  for (const wide of rules)
    for (const { path, headers, without } of rules.filter(
      (rule) => rule !== wide && isWithin(rule.path, wide.path),
    )) {
      const added = Object.keys(headers).filter((name) => !without.includes(name))
      expect([path, added.filter((name) => name in wide.headers)]).toEqual([path, []])
    }
  expect(rules.find(({ path }) => path === '/_astro/*')?.headers).toEqual({
    'cache-control': 'public, max-age=31536000, immutable',
    'access-control-allow-origin': '*',
  })
})

test('only the preview and the check may be held in a frame, by our own pages alone; the check has no origin', () => {
  const policies = {
    '/preview/*': "frame-ancestors 'self'",
    '/check/*': "frame-ancestors 'self'; sandbox allow-scripts",
  }
  const rules = parse(headersFile()).filter((rule) => rule.without.length > 0)
  expect(rules.map(({ path }) => path)).toEqual(Object.keys(policies))
  for (const [path, policy] of Object.entries(policies)) {
    const framed = { 'x-frame-options': 'SAMEORIGIN', 'content-security-policy': policy }
    const rule = rules.find((each) => each.path === path)
    expect([rule?.headers, rule?.without]).toEqual([framed, Object.keys(framed)])
    expect(headersOf(`${path.slice(1, -1)}index.html`)).toMatchObject({ ...pageHeaders, ...framed })
    for (const name of Object.keys(framed))
      expect(headersSnippet()).not.toMatch(new RegExp(`\\theader ${name}`))
  }
  expect(headersOf('index.html')).toEqual({ ...pageHeaders, 'cache-control': 'no-cache' })
})

test('the web server of compose.yaml sends the same', () => {
  const snippet = headersSnippet()
  for (const { headers } of parse(headersFile()))
    for (const [name, value] of Object.entries(headers)) expect(snippet).toContain(` ${name} "${value}"`)
  const caddyfile = readFileSync(join(import.meta.dirname, 'Caddyfile'), 'utf8')
  expect(caddyfile).toContain('import site-headers')
})

test('the build writes both files', async () => {
  const command = ['infra/caddy/site-headers.ts', dir, join(dir, 'headers.caddy')]
  const cwd = join(import.meta.dirname, '../..')
  expect(await Bun.spawn([process.execPath, ...command], { cwd }).exited).toBe(0)
  expect(readFileSync(join(dir, '_headers'), 'utf8')).toBe(headersFile())
  expect(readFileSync(join(dir, 'headers.caddy'), 'utf8')).toBe(headersSnippet())
})
