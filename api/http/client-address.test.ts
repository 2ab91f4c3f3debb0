import { Elysia } from 'elysia'
import { expect, onTestFinished, test } from 'vitest'
import { type AddressRules, visitors } from './client-address.ts'
import { sent } from './ready.ts'
import { route } from './route.ts'

const addressOf = (rules: AddressRules) => {
  const { addressOf } = visitors(rules)
  return (request: Request, address: string) =>
    addressOf({ request, server: { requestIP: () => ({ address }) } })
}
const none = addressOf({ trustedProxies: [], siteProxyToken: undefined })
const one = addressOf({ trustedProxies: ['10.0.0.1'], siteProxyToken: 'a token' })
const two = addressOf({ trustedProxies: ['10.0.0.0/8', 'fd00::/8'], siteProxyToken: undefined })

/** A request with these lines of X-Forwarded-For, and headers that other servers trust. */
function request(lines: readonly string[], more: Record<string, string> = {}): Request {
  const headers = new Headers({
    'x-real-ip': '6.6.6.6',
    'cf-connecting-ip': '6.6.6.6',
    'true-client-ip': '6.6.6.6',
    forwarded: 'for=6.6.6.6',
    ...more,
  })
  for (const line of lines) headers.append('x-forwarded-for', line)
  return new Request('http://localhost/', { headers })
}

const visitor = '203.0.113.7'
const lies = [
  ['6.6.6.6'],
  ['6.6.6.6, 7.7.7.7'],
  ['10.0.0.1'],
  ['127.0.0.1, 10.0.0.1'],
  ['unknown'],
  [''],
  [', ,'],
  ['6.6.6.6:80, [::1]:9'],
  ['6.6.6.6', '7.7.7.7'],
  ['x'.repeat(4_000)],
]

test.each(lies)('A4: without a proxy the peer is the visitor, no matter the headers: %j', (...lines) => {
  expect(none(request(lines), visitor)).toBe(visitor)
  expect(one(request(lines), visitor)).toBe(visitor)
  expect(two(request(lines), visitor)).toBe(visitor)
})

test.each(lies)('A4: entries before that of our proxy are not trusted: %j', (...lines) => {
  expect(one(request([...lines, visitor]), '10.0.0.1')).toBe(visitor)
  expect(one(request([[...lines, visitor].join(', ')]), '10.0.0.1')).toBe(visitor)
})

test.each(lies)('A4: of two proxies the outer one names the visitor: %j', (...lines) => {
  expect(two(request([...lines, visitor, '10.0.0.9']), '10.0.0.1')).toBe(visitor)
  expect(two(request([[...lines, visitor, 'fd00::9'].join(',')]), '::ffff:10.0.0.1')).toBe(visitor)
})

test.each([
  ['a visitor of an inner network', two, ['10.1.1.1'], '10.0.0.1', '10.1.1.1'],
  ['only proxies', two, ['10.1.1.1, 10.1.1.2'], '10.0.0.1', '10.1.1.1'],
  ['nothing written by the proxy', one, [], '10.0.0.1', '10.0.0.1'],
  ['no address at all', one, ['unknown'], '10.0.0.1', '10.0.0.1'],
  ['an IPv6 visitor', one, ['2001:db8::1'], '10.0.0.1', '2001:db8::1'],
  ['a port', one, ['203.0.113.7:5678'], '10.0.0.1', visitor],
  ['a port behind IPv6', one, ['[2001:db8::1]:443'], '10.0.0.1', '2001:db8::1'],
  ['an IPv4 address in IPv6 clothes', one, ['::ffff:203.0.113.7'], '::ffff:10.0.0.1', visitor],
  ['a peer in IPv6 clothes', none, ['6.6.6.6'], '::ffff:203.0.113.7', visitor],
  ['a neighbour of the proxy', one, ['6.6.6.6'], '10.0.0.2', '10.0.0.2'],
] as const)('A4: %s', (_, addressOf, lines, peer, expected) => {
  expect(addressOf(request(lines), peer)).toBe(expected)
})

test('A4: only its token identifies the site server, and only its own entry counts', () => {
  const passed = (token: string) => request(['6.6.6.6', visitor], { 'x-site-proxy': token })
  expect(one(passed('a token'), '198.51.100.1')).toBe(visitor)
  expect(one(passed('another'), '198.51.100.1')).toBe('198.51.100.1')
  expect(none(passed('a token'), '198.51.100.1')).toBe('198.51.100.1')
})

test('what is left of a call without its values still tells who calls', async () => {
  const rules = { trustedProxies: [], siteProxyToken: undefined }
  const call = route('/caller', {
    about: 'Who calls',
    run: ({ query: _, ...call }) => sent({ address: visitors(rules).addressOf(call) }, {}),
  })
  const app = new Elysia().get(...call).listen({ port: 0, hostname: '::1' })
  onTestFinished(() => void app.stop(true))
  const answer = await fetch(`http://[::1]:${app.server?.port}/caller`)
  expect(await answer.json()).toEqual({ address: '::1' })
})
