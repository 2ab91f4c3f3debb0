import { expect, test } from 'vitest'
import { siteOrigins } from './origin.ts'

const allowedOrigins = ['https://first.example', 'https://second.example']
const addresses = { trustedProxies: ['10.0.0.0/8'], siteProxyToken: 'token of the site' }
const { originOf, isOwn } = siteOrigins({ allowedOrigins, addresses })
const call = (headers: Record<string, string>) => ({
  request: new Request('http://127.0.0.1:3001/api/raffle/claim/1', { headers }),
  server: null,
})

test('a page of either allowed origin gets a message of its own, with an Origin or without', () => {
  for (const origin of allowedOrigins) {
    const { host } = new URL(origin)
    expect(originOf(call({ origin, host: '127.0.0.1:3001' }))).toBe(origin)
    expect(originOf(call({ host }))).toBe(origin)
    expect(originOf(call({ host: `${host.toUpperCase()}:443` }))).toBe(origin)
    const proxied = { 'x-forwarded-host': host, host: '127.0.0.1:3001', 'x-site-proxy': 'token of the site' }
    expect(originOf(call(proxied))).toBe(origin)
  }
})

test('no host makes a message of a site that is not allowed, and no stranger names another one', () => {
  const [first, second] = allowedOrigins as [string, string]
  expect(originOf(call({ host: 'evil.example' }))).toBe(first)
  expect(originOf(call({ host: 'first.example:8443' }))).toBe(first)
  expect(originOf(call({ host: 'evil.example', origin: 'https://evil.example' }))).toBe(first)
  expect(originOf(call({ host: 'second.example', 'x-forwarded-host': 'first.example' }))).toBe(second)
  expect(isOwn('https://evil.example', call({ host: 'evil.example' }))).toBe(false)
})
