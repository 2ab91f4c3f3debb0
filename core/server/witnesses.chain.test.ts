import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startChain } from '../../infra/local/chain.ts'
import { parseEnv } from './env.ts'
import { checkWitnesses, expectChain, hasOwnClock } from './witnesses.ts'

const check = (RPC_URLS: string, rest: Record<string, string> = {}) =>
  checkWitnesses(parseEnv({ RPC_URLS, ...rest }))

describe('on BNB Smart Chain the start is refused with', () => {
  test.each([
    ['one endpoint', 'https://bsc.provider-one.com/key'],
    ['two of one provider', 'https://a.provider-one.com,https://b.provider-one.com'],
    ['two of one provider below a suffix of two parts', 'https://a.provider.co.uk,https://b.provider.co.uk'],
    ['one provider twice', 'https://provider-one.com/a,https://provider-one.com/b'],
    ['one provider and the same at a port', 'https://provider-one.com,https://provider-one.com:8545'],
    ['one address twice', 'https://203.0.113.7,https://203.0.113.7:444'],
    ['two own nodes', 'http://10.0.0.7:8545,http://192.168.1.4:8545'],
    ['two own nodes by name', 'http://node-a:8545,http://node-b.internal:8545'],
    ['one in clear text', 'https://provider-one.com,http://provider-two.com'],
    ['a public address in clear text', 'https://provider-one.com,http://203.0.113.7'],
  ])('%s', async (_, urls) => {
    await expect(check(urls)).rejects.toThrow(/^RPC_URLS must .* RPC_UNSAFE=true/)
    await expect(check(urls)).rejects.not.toThrow(/provider-|203|10\.0/)
    expect(await check(urls, { RPC_UNSAFE: 'true' })).toBe(true)
    expect(await check(urls, { CHAIN_ID: '97' })).toBe(false)
  })
})

test.each([
  ['two providers', 'https://bsc.provider-one.com/key,https://provider-two.com'],
  ['two providers below one public suffix', 'https://a.co.uk,https://b.co.uk'],
  ['a provider and an own node', 'https://provider-one.com,http://10.0.0.7:8545'],
  ['a provider and an own node by name', 'https://provider-one.com,http://bsc-node:8545'],
  ['a provider and an own node of the next generation', 'https://provider-one.com,http://[fd00::7]:8545'],
])('on BNB Smart Chain it is allowed with %s', async (_, urls) => {
  expect(await check(urls)).toBe(false)
  expect(await check(urls, { RPC_UNSAFE: 'true' })).toBe(false)
})

describe('with nodes of this machine alone', () => {
  let chain: Awaited<ReturnType<typeof startChain>>
  const other = Bun.serve({ port: 0, fetch: () => Response.json({ result: 'Geth/v1.8.2' }) })
  beforeAll(async () => {
    chain = await startChain({ blockTime: null })
  })
  afterAll(async () => {
    await Promise.all([chain.stop(), other.stop(true)])
  })

  test('anvil is enough, a client of the real chain is not', async () => {
    expect(await check(chain.url)).toBe(false)
    expect(await check(`${chain.url},http://127.0.0.1:1`)).toBe(false)
    await expect(check('http://127.0.0.1:1,http://localhost:2')).rejects.toThrow(
      'none of them answers: start one first.',
    )
    await expect(check(`http://127.0.0.1:${other.port}`)).rejects.toThrow('RPC_URLS must name endpoints')
    await expect(check(`${chain.url},http://127.0.0.1:${other.port}`)).rejects.toThrow('RPC_URLS')
  })

  test('V3: one of another chain stops the start, a silent one does not', async () => {
    const env = parseEnv({ RPC_URLS: `http://127.0.0.1:1,${chain.url}` })
    await expectChain(env)
    await expect(expectChain({ ...env, chainId: 97 })).rejects.toThrow(
      'RPC_URLS names one of chain 56, but CHAIN_ID is 97.',
    )
  })

  test('a single one has its own clock', () => {
    expect(hasOwnClock(['http://127.0.0.1:8545'])).toBe(true)
    expect(hasOwnClock(['http://[::1]:8545'])).toBe(true)
    expect(hasOwnClock(['http://127.0.0.1:8545', 'http://127.0.0.1:8546'])).toBe(false)
    expect(hasOwnClock(['https://provider-one.com'])).toBe(false)
    expect(hasOwnClock(['http://10.0.0.7:8545'])).toBe(false)
  })
})
