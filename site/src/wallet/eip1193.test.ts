import { expect, test } from 'vitest'
import { type Eip1193, ensureBsc, rpcCode } from './eip1193.ts'

/** A wallet that answers from a script, one step per call, and records its requests. */
function scripted(steps: readonly [method: string, answer: unknown][]): Eip1193 & { asked: unknown[] } {
  const left = [...steps]
  const asked: unknown[] = []
  return {
    asked,
    async request({ method, params }) {
      asked.push(params ? [method, params] : [method])
      const [expected, answer] = left.shift() ?? ['nothing', undefined]
      expect(method).toBe(expected)
      if (answer instanceof Error) throw answer
      return answer
    },
  }
}
const failing = (code: number, more = {}) => Object.assign(new Error(`code ${code}`), { code, ...more })
const switching = 'wallet_switchEthereumChain'
const adding = 'wallet_addEthereumChain'

test('switches a wallet that knows the chain', async () => {
  const wallet = scripted([
    [switching, null],
    ['eth_chainId', '0x38'],
  ])
  await ensureBsc(wallet)
  expect(wallet.asked).toEqual([[switching, [{ chainId: '0x38' }]], ['eth_chainId']])
})

test('adds an unknown chain with BNB, 18 decimals, a public node and an explorer', async () => {
  const wallet = scripted([
    [switching, failing(4902)],
    [adding, null],
    ['eth_chainId', '0x38'],
    ['eth_chainId', '0x38'],
  ])
  await ensureBsc(wallet)
  expect(wallet.asked[1]).toEqual([
    adding,
    [
      {
        chainId: '0x38',
        chainName: 'BNB Smart Chain',
        nativeCurrency: { name: 'BNB', symbol: 'BNB', decimals: 18 },
        rpcUrls: ['https://bsc-dataseed.bnbchain.org'],
        blockExplorerUrls: ['https://bscscan.com'],
      },
    ],
  ])
})

test('switches again when a wallet adds the chain without switching', async () => {
  const nested = failing(-32603, { data: { originalError: { code: 4902 } } })
  await ensureBsc(
    scripted([
      [switching, nested],
      [adding, null],
      ['eth_chainId', '0x1'],
      [switching, null],
      ['eth_chainId', '0x38'],
    ]),
  )
})

test('passes a rejection on and adds nothing', async () => {
  await expect(ensureBsc(scripted([[switching, failing(4001)]]))).rejects.toMatchObject({ code: 4001 })
  const refusesToAdd = scripted([
    [switching, failing(4902)],
    [adding, failing(4001)],
  ])
  await expect(ensureBsc(refusesToAdd)).rejects.toMatchObject({ code: 4001 })
})

test('rejects when a wallet confirms the switch but stays on its chain', async () => {
  const wallet = scripted([
    [switching, null],
    ['eth_chainId', '0x1'],
  ])
  await expect(ensureBsc(wallet)).rejects.toThrow('another network')
})

test('finds the error code in each place that wallets use', () => {
  expect(rpcCode({ code: 4001 })).toBe(4001)
  expect(rpcCode({ code: -32603, data: { originalError: { code: 4902 } } })).toBe(4902)
  expect(rpcCode(new Error('outer', { cause: { code: -32603, cause: { code: 4001 } } }))).toBe(4001)
  for (const nothing of [undefined, null, 'text', {}, { code: 'ACTION_REJECTED' }, { code: -32603 }])
    expect(rpcCode(nothing)).toBeUndefined()
})
