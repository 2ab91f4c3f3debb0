import type { Hex } from 'viem'
import { afterEach, expect, test } from 'vitest'
import { openTestChain, operator } from '../../e2e/lab/chain.ts'
import { type HookRpc, hookRpc } from '../../e2e/lab/hook-rpc.ts'
import { forFile } from '../../e2e/lab/opened.ts'
import { connectChain } from './index.ts'

/** Runtime code, behind a constructor that returns it. */
const contract = (runtime: string): Hex =>
  `0x60${(runtime.length / 2).toString(16).padStart(2, '0')}600c60003960${(runtime.length / 2)
    .toString(16)
    .padStart(2, '0')}6000f3${runtime}`
/** What is left of the gas, as a word. */
const tellsGas = contract('5a60005260206000f3')
/** Runs in a circle until the gas is gone. */
const burnsGas = contract('5b600056')
const yes = `0x1626ba7e${'0'.repeat(56)}`
const no = `0x${'0'.repeat(64)}`

const local = await forFile(openTestChain())
const nodes = await Promise.all([1, 2, 3].map(() => forFile(hookRpc(local.url))))
const alarms: string[] = []
const reader = connectChain(
  nodes.map(({ url }) => url),
  56,
  { onAlarm: (text) => alarms.push(text) },
)
afterEach(() => {
  for (const node of nodes) node.hook = (_, result) => result
})

const statesOf = (): string[] => reader.health().endpoints.map(({ state }) => state)
const tell = (at: number, change: (method: string, result: unknown) => unknown) => {
  ;(nodes[at] as HookRpc).hook = ({ method }, result) => change(method, result)
}
test('honest endpoints differ about what a contract of a stranger answers, and none is set aside', async () => {
  const at = (await reader.finalized()).number
  const call = { to: operator, data: '0x1626ba7e' } as const
  for (const odd of [0, 1, 2]) {
    for (const node of [0, 1, 2])
      tell(node, (method, result) => (method === 'eth_call' ? (node === odd ? yes : no) : result))
    expect(await reader.call(call, at)).toBe(no)
  }
  expect([statesOf(), alarms]).toEqual([['ok', 'ok', 'ok'], []])
})

test('a stranger cannot tell two endpoints apart by the gas that they give, nor keep them busy', async () => {
  const [sender] = local.buyers
  const gas = await local.deployCode(sender, tellsGas)
  const circle = await local.deployCode(sender, burnsGas)
  await local.finalize()
  const at = (await reader.finalized()).number
  const left = Number(await reader.call({ to: gas, data: '0x' }, at))
  expect(left).toBeGreaterThan(2_900_000)
  expect(left).toBeLessThan(3_000_000)
  // Gone gas is an answer of the contract, as a revert is.
  expect(await reader.call({ to: circle, data: '0x' }, at)).toBeUndefined()
  expect(statesOf()).toEqual(['ok', 'ok', 'ok'])
})
