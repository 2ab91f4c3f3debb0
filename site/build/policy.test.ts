import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { drandRelays } from '../../core/draw/beacon.ts'
import { builtPages } from '../../e2e/lab/built-pages.ts'
import { bsc } from '../src/wallet/eip1193.ts'
import { type Kind, type Places, withPolicy } from './policy.ts'

const page = (body = '', head = '') =>
  `<!DOCTYPE html><html><head><meta charset="utf-8"><title>x</title>${head}</head><body>${body}</body></html>`

/** The directives of a page's policy, each with its values. */
const directives = (html: string, places: Places = {}, kind: Kind = 'public'): Record<string, string[]> =>
  policyIn(withPolicy(html, places, kind))

function policyIn(html: string): Record<string, string[]> {
  const text = /http-equiv="content-security-policy" content="([^"]*)"/.exec(html)
  const parts = (text?.[1] ?? '').split('; ').map((part) => part.split(' '))
  const names = parts.map(([name]) => name)
  expect(names).toEqual([...new Set(names)]) // browsers leave out a directive that was there before
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
  const html = withPolicy(page('', '<script>one()</script>'), {}, 'public')
  expect(html.indexOf('content-security-policy')).toBeLessThan(html.indexOf('<script'))
})

test('a page that needs what its policy forbids is not built', () => {
  for (const body of ['<p onclick="x()">', '<p style="color: red">', '<img src="x" onerror=y>'])
    expect(() => withPolicy(page(body), {}, 'public')).toThrow('what its policy forbids')
  expect(withPolicy(page('<script>a = "<p style=1>"</script>'), {}, 'public')).toContain('sha256')
})

const places = {
  apiUrl: 'https://api.example.org/v1',
  demoRpcUrl: 'http://127.0.0.1:8545',
  rpcUrls: ['https://bsc.example.org/key', 'http://10.0.0.7:8545/x'],
  relays: ['https://relay.example.org'],
}

test('A6: public pages connect to hosts that are named, closed ones to our own API, and the check to any node', () => {
  const own = ["'self'", 'https://api.example.org', 'http://127.0.0.1:8545']
  const named = ['https://bsc.example.org', 'http://10.0.0.7:8545', 'https://relay.example.org']
  expect(directives(page(), places)['connect-src']).toEqual([...own, ...named])
  for (const kind of ['closed', 'holding'] as const)
    expect(directives(page(), { ...places, hasWalletConnect: true }, kind)['connect-src']).toEqual(own)
  const any = ['https:', 'http://127.0.0.1:*', 'http://localhost:*']
  expect(directives(page('<script>one()</script>'), { ...places, hasWalletConnect: true }, 'check')).toEqual({
    'default-src': ["'none'"],
    'script-src': ["'self'", hash('one()')],
    'connect-src': any,
    'form-action': ["'none'"],
    'base-uri': ["'none'"],
    'require-trusted-types-for': ["'script'"],
    'trusted-types': ["'none'"],
  })
})

test('A6: of every built page the connections are a list, but of the check', async () => {
  const relay = 'wss://relay.walletconnect.org'
  for (const otherWallets of [false, true]) {
    const dir = await builtPages({ demoWallet: false, otherWallets })
    const names = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.html'),
    )
    expect(names).toEqual(expect.arrayContaining(['index.html', '_event/ko.html', 'check/index.html']))
    for (const name of names) {
      const html = readFileSync(join(dir, name), 'utf8')
      const { 'connect-src': hosts = [], 'default-src': rest } = policyIn(html)
      expect([name, rest]).toEqual([name, ["'none'"]])
      if (name === 'check/index.html') {
        expect(hosts[0]).toBe('https:')
        expect(html).toContain('<meta name="robots" content="noindex">')
        continue
      }
      const isClosed = /^(admin|preview|404)/.test(name)
      expect([name, hosts[0], hosts.includes(relay)]).toEqual([name, "'self'", otherWallets && !isClosed])
      expect([
        name,
        hosts.slice(1).filter((host) => !/^(https|wss):\/\/[a-z0-9.-]+(:\d+)?$/.test(host)),
      ]).toEqual([name, []])
      expect([
        name,
        isClosed ? hosts : hosts.filter((host) => drandRelays.some((one) => one === host)),
      ]).toEqual([name, isClosed ? ["'self'"] : drandRelays])
    }
  }
})

test('the script of the check is one file, of the verifier and what that stands on', async () => {
  const dir = await builtPages({ demoWallet: false, otherWallets: true })
  const [, src = ''] =
    /<script\b[^>]* src="([^"]+)"/.exec(readFileSync(join(dir, 'check/index.html'), 'utf8')) ?? []
  const code = readFileSync(join(dir, src), 'utf8')
  expect(new Bun.Transpiler({ loader: 'js' }).scanImports(code)).toEqual([])
  expect(code).not.toMatch(/react|nanostores|localStorage|walletconnect|reown/i)
  expect(code).toContain('blockdraw-terms-2')
})

test('a page holds pages of our own in a frame, and of others never', () => {
  for (const kind of ['public', 'holding'] as const)
    expect(directives(page(), {}, kind)['frame-src']).toEqual(["'self'"])
  for (const kind of ['closed', 'check'] as const)
    expect(directives(page(), {}, kind)['frame-src']).toBeUndefined()
})

test('pictures come from the site, the page itself and our API, and from nobody else', () => {
  const places = { apiUrl: 'https://api.example.org/v1', hasWalletConnect: true }
  for (const kind of ['public', 'closed'] as const)
    expect(directives(page(), places, kind)['img-src']).toEqual([
      ...["'self'", 'data:', 'blob:', 'https://api.example.org'],
    ])
})

test("WalletConnect's hosts are allowed only where other wallets are offered", () => {
  const relay = 'wss://relay.walletconnect.org'
  expect(directives(page())['connect-src']).not.toContain(relay)
  const html = page('<script>one()</script><style>p{}</style>')
  const [plain, other] = [directives(html), directives(html, { hasWalletConnect: true })]
  expect(other['connect-src']).toEqual(expect.arrayContaining([relay, ...bsc.rpcUrls]))
  expect(other['frame-src']).toEqual(["'self'", 'https://verify.walletconnect.org'])
  expect(other['style-src']).toEqual(plain['style-src'])
  expect([plain['style-src-attr'], other['style-src-attr']]).toEqual([undefined, ["'unsafe-inline'"]])
  expect(other['script-src']).toEqual(["'self'", hash('one()')])
})
