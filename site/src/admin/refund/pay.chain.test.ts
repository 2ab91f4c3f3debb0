import { type Address, decodeFunctionData, getAddress, type Hash, type Hex, zeroAddress } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { register, registerAbi } from '../../../../core/chain/register.ts'
import { book, openRegister, payUpToData, type RegisterWorld } from '../../../../e2e/lab/register.ts'
import { approveData, transferData, usdt, usdtUnits } from '../../../../e2e/lab/usdt.ts'
import { rpc } from '../../../../infra/local/rpc.ts'
import type { Eip1193 } from '../../wallet/eip1193.ts'
import { createPay, type Line, type PayState } from './pay.ts'

const three = usdtUnits(3)
let world: RegisterWorld
let operator: Address
let wallet: Address
let payers: Address[]

beforeAll(async () => {
  world = await openRegister()
  const [first, second, ...others] = world.accounts.map((account) => getAddress(account))
  operator = first as Address
  wallet = second as Address
  payers = others.slice(0, 8)
  for (const payer of [wallet, ...payers])
    await world.send({ from: payer, to: usdt, data: transferData(operator, three) })
})
beforeEach(() => world.startAnew())
afterAll(() => world?.stop())

type Call = { to: Address; data: Hex }
/** Instead of what the wallet answers; `send` puts the call on the chain. */
type Mood = (call: Call, send: () => Promise<Hash>) => Promise<unknown>

/** A wallet of the browser in front of the chain, which keeps what it was asked to sign. */
function walletOf({ account = wallet, mood, chain = {} }: WalletOptions = {}) {
  const asked: Call[] = []
  const provider: Eip1193 = {
    async request({ method, params = [] }) {
      if (method === 'eth_accounts') return [account]
      if (method in chain) return chain[method]?.()
      const send = () => rpc<Hash>(world.url, method, params as unknown[])
      if (method !== 'eth_sendTransaction') return send()
      const [call] = params as [Call]
      asked.push(call)
      return mood ? mood(call, send) : send()
    },
  }
  return { provider, asked }
}
type WalletOptions = { account?: Address; mood?: Mood; chain?: Record<string, () => unknown> }

const linesOf = (debtors: readonly Address[], total = three): Line[] =>
  debtors.map((to) => ({ to, units: `${total}`, total: `${total}` }))

type Play = WalletOptions & { lines?: Line[]; perCall?: number; leaveAt?: (state: PayState) => boolean }

/** One run of the desk; the server's list is the oldest one, whatever was paid since. */
async function play({ lines = linesOf([wallet, ...payers]), perCall = 3, leaveAt, ...options }: Play = {}) {
  const { provider, asked } = walletOf(options)
  const reports: Address[][] = []
  let last: PayState | undefined
  const pay = createPay({
    ...{ provider, wallet, perCall, terms: { chainId: 56, token: usdt, book, wallets: [operator] } },
    lines: async () => lines,
    report: async (_, debtors) => reports.push(debtors),
    onChange: (state) => {
      last = state
      if (leaveAt?.(state)) pay.leave()
    },
    pause: async () => undefined,
  })
  await pay.run()
  return { state: last as PayState, reports, names: asked.map(nameOf), asked }
}

const nameOf = ({ to, data }: Call): string => {
  if (to === usdt) return `approve ${BigInt(`0x${data.slice(74)}`) / usdtUnits(1)}`
  const { args } = decodeFunctionData({ abi: registerAbi, data })
  return `pay ${(args[2] as unknown[]).length}`
}
const paidTo = (debtors: readonly Address[]) =>
  Promise.all(debtors.map(async (debtor) => (await world.paid(usdt, debtor)) / usdtUnits(1)))

test('allows exactly the sum, then pays all payers but its own wallet in calls of so many', async () => {
  const { state, names, reports, asked } = await play()
  expect(names).toEqual(['approve 24', 'pay 3', 'pay 3', 'pay 2'])
  expect(state).toMatchObject({ phase: 'done', refused: [], ahead: [], isCompared: true })
  expect(state.paid).toEqual([3, 3, 2].map((count) => ({ count, units: BigInt(count) * three })))
  expect(reports.flat()).toEqual(payers)
  expect(await paidTo(payers)).toEqual(payers.map(() => 3n))
  expect(await paidTo([wallet])).toEqual([0n])
  const { args } = decodeFunctionData({ abi: registerAbi, data: asked[1]?.data as Hex })
  const [ofBook, token, debtors, totals, validUntil] = args as [Hex, Address, Address[], bigint[], bigint]
  expect([ofBook, token.toLowerCase(), debtors, totals]).toEqual([
    ...[book, usdt, payers.slice(0, 3), [three, three, three]],
  ])
  const { timestamp } = await world.client.getBlock()
  expect(Number(validUntil - timestamp)).toBeLessThanOrEqual(3_600)
  expect(Number(validUntil - timestamp)).toBeGreaterThan(3_500)
})

test('after a reload it goes on with what is left, and whom another wallet has paid gets nothing more', async () => {
  const first = await play({ leaveAt: ({ paid }) => paid.length === 1 })
  expect([first.state.stop, first.names]).toEqual(['left', ['approve 24', 'pay 3']])
  const other = payers[7] as Address
  await world.send({ from: other, to: usdt, data: approveData(register.address) })
  const [whole, part] = payers.slice(3, 5) as [Address, Address]
  const debts = [
    { debtor: whole, total: three },
    { debtor: part, total: usdtUnits(1) },
  ]
  await world.send({ from: other, data: payUpToData(usdt, debts) })
  const second = await play()
  // What was allowed for them is taken back to the sum that follows.
  expect([second.state.phase, second.names]).toEqual(['done', ['approve 11', 'pay 3', 'pay 1']])
  expect(await paidTo(payers)).toEqual(payers.map(() => 3n))
  expect((await play()).names).toEqual([])
})

test('who has had a part gets the rest: a call names all that he shall have received', async () => {
  const [payer, other] = payers as [Address, Address]
  await world.send({ from: other, to: usdt, data: approveData(register.address) })
  await world.send({ from: other, data: payUpToData(usdt, [{ debtor: payer, total: usdtUnits(1) }]) })
  const { names } = await play({ lines: [{ to: payer, units: `${usdtUnits(2)}`, total: `${three}` }] })
  expect(names).toEqual(['approve 2', 'pay 1'])
  expect(await paidTo([payer])).toEqual([3n])
})

test('the one line that the chain does not take is found, shown and left out', async () => {
  const lines = linesOf([...payers.slice(0, 4), zeroAddress, ...payers.slice(4)])
  const withoutLogs = { eth_getLogs: () => Promise.reject(new Error('block range too wide')) }
  const { state, names } = await play({ lines, perCall: 180, chain: withoutLogs })
  expect(names).toEqual(['approve 27', 'pay 8'])
  expect(state).toMatchObject({ phase: 'done', isCompared: false })
  expect(state.refused).toMatchObject([{ to: zeroAddress, count: 1, units: three }])
  expect(state.refused[0]?.reason).toBeTruthy()
  expect(await paidTo(payers)).toEqual(payers.map(() => 3n))
})

test('a total above what the payer has sent to our wallets is not signed', async () => {
  const [greedy, ...others] = payers as [Address, ...Address[]]
  const lines = [...linesOf([greedy], three + 1n), ...linesOf(others)]
  const { state, names } = await play({ lines, perCall: 180 })
  expect(names).toEqual(['approve 21', 'pay 7'])
  expect(state.refused).toEqual([{ to: greedy, count: 1, units: three + 1n, sent: three }])
  expect(await paidTo([greedy])).toEqual([0n])
})

test.each<[string, Mood]>([
  ['answers the id of a bundle', async (_, send) => (await send()) && 'bundle 7'],
  ['never answers', async (_, send) => (await send()) && new Promise(() => undefined)],
  ['sends twice', async (_, send) => (await send()) && send()],
])('a wallet that %s: the chain says what was paid, and it goes on', async (_, mood) => {
  const { state, names } = await play({ mood })
  expect([state.phase, names]).toEqual(['done', ['approve 24', 'pay 3', 'pay 3', 'pay 2']])
  expect(await paidTo(payers)).toEqual(payers.map(() => 3n))
})

test('nobody waits for a wallet that neither answers nor sends', async () => {
  const { state, names } = await play({
    mood: () => new Promise(() => undefined),
    leaveAt: ({ phase }) => phase === 'approve',
  })
  expect([state.stop, names]).toEqual(['left', ['approve 24']])
})

test('a refusal in the wallet stops, and nothing is sent', async () => {
  const refuse: Mood = ({ to }, send) => (to === usdt ? send() : Promise.reject({ code: 4001 }))
  const { state, names } = await play({ mood: refuse })
  expect([state.stop, names]).toEqual(['refused', ['approve 24', 'pay 3']])
  expect(await paidTo(payers)).toEqual(payers.map(() => 0n))
})

test('a wallet whose user allows less pays what that covers, or stops', async () => {
  const allow =
    (units: bigint): Mood =>
    (call, send) =>
      call.to === usdt
        ? rpc(world.url, 'eth_sendTransaction', [{ ...call, data: approveData(register.address, units) }])
        : send()
  const some = await play({ mood: allow(3n * three), leaveAt: ({ paid }) => paid.length === 1 })
  expect(some.names).toEqual(['approve 24', 'pay 3'])
  const none = await play({ mood: allow(three) })
  expect([none.state.stop, none.names]).toEqual(['allowance', ['approve 15']])
})

test('each obstacle is named before anything is asked of the wallet', async () => {
  const stopOf = async (options: Play) => {
    const { state, names } = await play(options)
    return [state.stop, names.length]
  }
  expect(await stopOf({ account: operator })).toEqual(['account', 0])
  expect(await stopOf({ chain: { eth_chainId: () => '0x1' } })).toEqual(['chain', 0])
  const tooMuch = linesOf(payers.slice(0, 1), usdtUnits(2_000_000))
  const withoutLogs = { eth_getLogs: () => Promise.reject(new Error('none')) }
  expect(await stopOf({ lines: tooMuch, chain: withoutLogs })).toEqual(['usdt', 0])
  await rpc(world.url, 'anvil_setCode', [register.address, '0x'])
  expect(await stopOf({})).toEqual(['register', 0])
})
