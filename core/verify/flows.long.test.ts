import { type Address, numberToHex } from 'viem'
import { expect, test } from 'vitest'
import { openDrawnEvent, statusOf } from '../../e2e/lab/drawn-event.ts'
import { type Flows, flowsOfChain, flowsText } from '../../e2e/lab/flows-file.ts'
import { forFile } from '../../e2e/lab/opened.ts'
import { rpc as ask } from '../../infra/local/rpc.ts'
import type { FlowLine } from '../flows/file.ts'
import { type FlowsFile, type Rpc, uncheckedSteps, type VerifyInput, verdictOf } from './verify.ts'

const { world, proof, ledger, rpc, verify } = await forFile(openDrawnEvent())
const until = (proof.blocks.at(-1)?.number as number) + 1
const flows = await flowsOfChain(world.url, proof, ledger, { opening: 2, until })

const given = (file: string, sha256?: FlowsFile['sha256']) => ({ flows: async () => ({ file, sha256 }) })
async function check(file: string, change: Partial<VerifyInput> = {}) {
  const results = await verify({ ...given(file), ...change })
  const { status, text, lacks } = results.find(({ step }) => step === 'flows') ?? {}
  return { status, text, lacks, verdict: verdictOf(results), open: uncheckedSteps(results) }
}
const changed = (change: (made: Flows) => void): string => {
  const made = structuredClone(flows)
  change(made)
  return flowsText(made)
}
const refusing =
  (isRefused: (method: string, params: readonly unknown[]) => boolean, message = 'missing trie node'): Rpc =>
  (method, params) =>
    isRefused(method, params) ? Promise.reject(new Error(message)) : rpc(method, params)

test('an honest file passes: every line, each wallet to the unit', async () => {
  expect(flows.lines.map((line) => line.class)).toContain('underpaid')
  const { status, text, verdict } = await check(flowsText(flows))
  expect([status, verdict]).toEqual(['passed', 'verified'])
  expect(text).toContain(`${flows.lines.length} transfers of 1 wallets: those of the chain`)
})

test('is no step where nobody asked for the file; not checked where the site has none, or it broke off', async () => {
  expect(statusOf(await verify(), 'flows')).toBe(undefined)
  const none = await check('', { flows: async () => undefined })
  expect([none.status, none.verdict, none.open]).toEqual(['skipped', 'incomplete', ['flows']])
  const broken = await check('', { flows: () => Promise.reject(new Error('gone')) })
  expect([broken.status, broken.verdict, broken.text]).toEqual([
    'unknown',
    'incomplete',
    'The file could not be read. gone',
  ])
  const large = await check(flowsText(flows), { ledgerLimit: ledger.length })
  expect(large.status).toBe('unknown')
})

test('without an endpoint the file is held against itself and the list alone', async () => {
  expect((await check(flowsText(flows), { rpc: undefined })).status).toBe('skipped')
  const lines = [...flows.lines]
  lines.splice(
    lines.findIndex((line) => line.class === 'credited'),
    1,
  )
  expect((await check(flowsText({ ...flows, lines }), { rpc: undefined })).status).toBe('failed')
})

test('a node that has forgotten what was held then is asked what is held now, and what moved between', async () => {
  await world.pay(5, 7_00, 400)
  await world.mine(3)
  const forgotten: Rpc = (method, params) =>
    method === 'eth_call' && params[1] === numberToHex(until)
      ? Promise.reject(new Error('missing trie node'))
      : ask(world.url, method, params)
  const { status, text } = await check(flowsText(flows), { rpc: forgotten })
  expect([status, text]).toEqual(['passed', expect.not.stringContaining(`at block ${until}.`)])
  const raised = changed(({ head }) => {
    const [wallet] = head.wallets
    if (wallet) head.wallets = [{ ...wallet, openingUnits: (wallet.openingUnits ?? 0n) + 1n }]
  })
  expect((await check(raised, { rpc: forgotten })).status).toBe('unknown')
  expect((await check(raised)).status).toBe('failed')
  const none = await check(flowsText(flows), { rpc: refusing((method) => method === 'eth_call') })
  expect([none.status, none.lacks]).toEqual(['skipped', 'archive'])
})

test('a node without logs is enough where every block may be read', async () => {
  const logless = refusing((method) => method === 'eth_getLogs', 'method not found')
  expect(await check(flowsText(flows), { rpc: logless })).toMatchObject({ status: 'skipped', lacks: 'logs' })
  expect((await check(flowsText(flows), { rpc: logless, byBlooms: true })).status).toBe('passed')
  const lines = flows.lines.slice(0, -1)
  expect((await check(flowsText({ ...flows, lines }), { rpc: logless, byBlooms: true })).status).toBe(
    'failed',
  )
})

test('logs that a node has lost contradict nothing', async () => {
  const lost: Rpc = async (method, params) => {
    const answer = await rpc(method, params)
    return method === 'eth_getLogs' ? (answer as unknown[]).slice(1) : answer
  }
  expect((await check(flowsText(flows), { rpc: lost })).status).toBe('unknown')
})

test('payments in blocks that the file does not reach leave the step open, and no list may have them else', async () => {
  const [first, ...rest] = flows.lines
  const early = flowsText({ ...flows, lines: [first, ...rest].slice(0, -1) as FlowLine[] })
  expect((await check(early)).status).toBe('failed')
  const later = await flowsOfChain(world.url, proof, ledger, { opening: Number(first?.blockNumber), until })
  const short = await flowsOfChain(world.url, proof, ledger, {
    opening: 2,
    until: Number(rest[0]?.blockNumber),
  })
  for (const file of [later, short])
    expect(await check(flowsText(file))).toMatchObject({ status: 'partial', open: ['flows'] })
})

test('a file that ends before the draw block leaves the step open, though every ticket is in it', async () => {
  const last = Number(flows.lines.findLast((line) => line.class === 'credited')?.blockNumber)
  const short = await flowsOfChain(world.url, proof, ledger, { opening: 2, until: last })
  const told = await check(flowsText(short))
  expect([told.status, told.text]).toEqual(['partial', expect.stringContaining('before draw block')])
})

test('two wallets that name one hash for two blocks are both looked up', async () => {
  const second = `0x${'00'.repeat(19)}77` as Address
  const two = await flowsOfChain(world.url, proof, ledger, { opening: 2, until, wallets: [second] })
  expect((await check(flowsText(two))).status).toBe('passed')
  two.head.wallets = two.head.wallets.map((each) =>
    each.address === second ? { ...each, openingBlock: 1n } : each,
  )
  expect((await check(flowsText(two))).status).toBe('failed')
})

test('no more balances are asked for at a time than are allowed, however many wallets a file names', async () => {
  const wallets = Array.from({ length: 40 }, (_, at) => `0x${`${at + 10}`.padStart(40, '0')}` as Address)
  const many = await flowsOfChain(world.url, proof, ledger, { opening: 2, until, wallets })
  many.head.wallets = many.head.wallets.map((each) => ({ ...each, openingUnits: each.openingUnits ?? 0n }))
  let [open, most] = [0, 0]
  const counted: Rpc = async (method, params) => {
    if (method !== 'eth_call') return rpc(method, params)
    open += 1
    most = Math.max(most, open)
    return rpc(method, params).finally(() => {
      open -= 1
    })
  }
  const { status } = await check(flowsText(many), { rpc: counted, atOnce: 4 })
  expect([status, most]).toEqual(['passed', 4])
})

test("a wallet that is the operator's by the proof and is not in the file leaves the step open", async () => {
  const since = proof.saleEndDate
  const ownWallets = [...proof.ownWallets, { address: `0x${'ff'.repeat(20)}` as Address, since }]
  const told = await check(flowsText(flows), { proof: JSON.stringify({ ...proof, ownWallets }) })
  expect([told.status, told.text]).toEqual(['partial', expect.stringContaining('ffff')])
})

test('a wallet whose opening nobody could tell leaves the rest proven, and the step open', async () => {
  const unknown = changed(({ head }) => {
    head.wallets = head.wallets.map((each) => ({ ...each, openingUnits: null }))
  })
  expect((await check(unknown)).status).toBe('partial')
})

test('of more blocks than may be asked for a random part is read, and said to be a part', async () => {
  const oneBlock: Rpc = (method, params) => {
    const { fromBlock, toBlock } = (params[0] ?? {}) as { fromBlock?: string; toBlock?: string }
    return method === 'eth_getLogs' && fromBlock !== toBlock
      ? Promise.reject(new Error('limit exceeded'))
      : rpc(method, params)
  }
  expect((await check(flowsText(flows), { rpc: oneBlock, logCalls: 2 })).status).toBe('partial')
  expect((await check(flowsText(flows), { rpc: oneBlock })).status).toBe('passed')
})

test('a class that the rules do not give is found without the chain', async () => {
  const of = (wanted: FlowLine['class'], change: Partial<FlowLine>) =>
    changed(({ lines }) => {
      Object.assign(lines.find((line) => line.class === wanted) as FlowLine, change)
    })
  const stranger = `0x${'5e'.repeat(20)}` as Address
  for (const file of [
    of('underpaid', { class: 'late' }),
    of('underpaid', { class: 'credited' }),
    of('credited', { class: 'underpaid' }),
    of('credited', { class: 'missed' }),
    of('credited', { counterparty: stranger }),
  ])
    expect((await check(file, { rpc: undefined })).status).toBe('failed')
})
