import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { type Places, withPolicy } from './policy.ts'

const page = (body = '', head = '') =>
  `<!DOCTYPE html><html><head><meta charset="utf-8"><title>x</title>${head}</head><body>${body}</body></html>`

/** The directives of a page's policy, each with its values. */
function directives(html: string, places: Places = {}, open = true): Record<string, string[]> {
  const text = /http-equiv="content-security-policy" content="([^"]*)"/.exec(
    withPolicy(html, places, { open }),
  )
  const parts = (text?.[1] ?? '').split('; ').map((part) => part.split(' '))
  return Object.fromEntries(parts.map(([name = '', ...words]) => [name, words]))
}

const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

test('L6: inline scripts and styles of the build are allowed by their hash, and no others', () => {
  const html = page(
    '<script>one()</script><script>one()</script><script type="module" src="/a.js"></script><script type="application/json">{}</script><style>p{}</style>',
  )
  const { 'script-src': scripts, 'style-src': styles, 'default-src': others } = directives(html)
  expect(scripts).toEqual(["'self'", hash('one()')])
  expect(styles).toEqual(["'self'", hash('p{}')])
  expect(others).toEqual(["'none'"])
})

test('the policy comes before every script and style', () => {
  const html = withPolicy(page('', '<script>one()</script>'), {}, { open: true })
  expect(html.indexOf('content-security-policy')).toBeLessThan(html.indexOf('<script'))
})

test('a page that needs what its policy forbids is not built', () => {
  for (const body of ['<p onclick="x()">', '<p style="color: red">', '<img src="x" onerror=y>'])
    expect(() => withPolicy(page(body), {}, { open: true })).toThrow('what its policy forbids')
  expect(withPolicy(page('<script>a = "<p style=1>"</script>'), {}, { open: true })).toContain('sha256')
})

test('public pages may connect to any node; the administrator pages connect only to our own API', () => {
  const places = {
    apiUrl: 'https://api.example.org/v1',
    demoRpcUrl: 'http://127.0.0.1:8545',
    rpcUrls: ['https://bsc.example.org', 'http://10.0.0.7:8545/x'],
  }
  expect(directives(page(), places)['connect-src']).toEqual([
    ...["'self'", 'https://api.example.org', 'http://127.0.0.1:8545', 'https:', 'http://127.0.0.1:*'],
    ...['http://localhost:*', 'https://bsc.example.org', 'http://10.0.0.7:8545'],
  ])
  expect(directives(page(), { ...places, hasWalletConnect: true }, false)['connect-src']).toEqual([
    "'self'",
    'https://api.example.org',
    'http://127.0.0.1:8545',
  ])
})

test('a page holds pages of our own in a frame only where it is said so, and of others never', () => {
  const html = withPolicy(page(), {}, { open: false, frames: true })
  expect(html).toContain("frame-src 'self';")
  expect(directives(page(), {}, false)['frame-src']).toBeUndefined()
})

test('pictures come from the site, the page itself and our API, and from nobody else', () => {
  const places = { apiUrl: 'https://api.example.org/v1', hasWalletConnect: true }
  for (const open of [true, false])
    expect(directives(page(), places, open)['img-src']).toEqual([
      ...["'self'", 'data:', 'blob:', 'https://api.example.org'],
    ])
})

test('the WalletConnect relay is allowed only where other wallets are offered', () => {
  const relay = 'wss://relay.walletconnect.org'
  expect(directives(page())['connect-src']).not.toContain(relay)
  expect(directives(page())).not.toHaveProperty('frame-src')
  const html = page('<script>one()</script><style>p{}</style>')
  const [plain, other] = [directives(html), directives(html, { hasWalletConnect: true })]
  expect(other['connect-src']).toContain(relay)
  expect(other['style-src']).toEqual(plain['style-src'])
  expect([plain['style-src-attr'], other['style-src-attr']]).toEqual([undefined, ["'unsafe-inline'"]])
  expect(other['script-src']).toEqual(["'self'", hash('one()')])
})
