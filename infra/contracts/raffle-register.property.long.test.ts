import fc from 'fast-check'
import { type Address, getAddress, type Hash, type Hex, numberToHex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { register } from '../../core/chain/register.ts'
import { usdtOnBsc } from '../../core/chain/usdt.ts'
import { mine, newestTime, setNextTime } from '../../e2e/lab/chain-verbs.ts'
import {
  type Debt,
  executeData,
  moodData,
  moods,
  openRegister,
  owe,
  payUpToData,
  person,
  prepareData,
  type RegisterWorld,
  readLogs,
  waiveData,
} from '../../e2e/lab/register.ts'
import { type Answer, type Ask, RegisterModel, type Step } from '../../e2e/lab/register-model.ts'
import { approveData, mintData } from '../../e2e/lab/usdt.ts'
import { rpc } from '../local/rpc.ts'

/** `REGISTER_SEEDS=2000` for the whole proof; a failure names its seed, which `REGISTER_SEED` repeats. */
const seeds = Number(process.env.REGISTER_SEEDS ?? 60)
const secondsApart = 10

let world: RegisterWorld
/** Two accounts, and a contract in whose name tokens can call. */
let wallets: Address[]
/** Two with moods, and USDT. */
let tokens: Address[]
/** Sends what is in no wallet's name. */
let teller: Address
/** What the chain has seen before each story. */
let opening: Step[]
let openingNonces: Map<Address, number>

beforeAll(async () => {
  world = await openRegister()
  const [, first, second, third] = world.accounts as [Address, Address, Address, Address]
  const deploy = async (name: 'MoodyToken' | 'OpenWallet') => getAddress(await world.deploy(name))
  teller = third
  wallets = [first, second, await deploy('OpenWallet')]
  tokens = [await deploy('MoodyToken'), await deploy('MoodyToken'), usdtOnBsc]
  const pairs = wallets.flatMap((wallet) => tokens.map((token) => ({ wallet, token })))
  opening = pairs.map((pair) => ({ do: 'approve', ...pair, units: 300n }))
  for (const { wallet, token } of pairs)
    await world.send({ from: teller, to: token, data: mintData(wallet, 10n ** 9n) })
  for (const step of opening) await world.send(callOf(step))
  const nonce = (address: Address) => rpc<Hex>(world.url, 'eth_getTransactionCount', [address, 'latest'])
  openingNonces = new Map()
  for (const sender of [first, second, third]) openingNonces.set(sender, Number(await nonce(sender)))
  await rpc(world.url, 'evm_setBlockGasLimit', [numberToHex(10n ** 9n)])
  await rpc(world.url, 'evm_setAutomine', [false])
})
afterAll(() => world?.stop())

test('does what its rules say, call by call and log by log, and pays nobody more than the highest total', {
  timeout: 240_000 + seeds * 1_000,
}, async () => {
  const seen = { calls: 0, refused: 0, Paid: 0, Waived: 0, Transfer: 0, CalledBack: 0 }
  await fc.assert(
    fc.asyncProperty(stories, async (blocks) => {
      await world.startAnew()
      const model = new RegisterModel()
      for (const step of opening) model.play(step, 0n)
      const nonces = new Map(openingNonces)
      const all: { steps: Step[]; answers: Answer[] }[] = []
      let time = BigInt(await newestTime(world.url))
      for (const sketches of blocks) {
        time += BigInt(secondsApart)
        const steps = sketches.map((sketch) => stepOf(sketch, { wallets, tokens }, time))
        const answers = await mineBlock(steps, time, nonces)
        expect(answers).toEqual(steps.map((step) => model.play(step, time)))
        all.push({ steps, answers })
        for (const { ok, logs } of answers) {
          seen.calls++
          if (!ok) seen.refused++
          for (const { event } of logs) seen[event as 'Paid']++
        }
      }
      await checkBooks(model, all)
    }),
    { numRuns: seeds, ...(process.env.REGISTER_SEED && { seed: Number(process.env.REGISTER_SEED) }) },
  )
  console.log(`register: ${seeds} stories`, seen)
  // Stories in which little happens would prove little.
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(seeds / 4)
})

/** The books of everybody, and what the chain's logs add up to, whatever the model thinks. */
async function checkBooks(model: RegisterModel, all: { steps: Step[]; answers: Answer[] }[]) {
  const keys = wallets.flatMap((wallet) =>
    tokens.flatMap((token) =>
      Array.from({ length: people }, (_, number) => [wallet, token, person(number)] as const),
    ),
  )
  const paid = await Promise.all(keys.map((key) => world.paid(...key)))
  expect(paid).toEqual(keys.map((key) => model.paid(...key)))
  const logs = all.flatMap(({ answers }) => answers.flatMap((answer) => answer.logs))
  const asks = all.flatMap(({ steps }) =>
    steps.flatMap((step) => (step.do === 'prepare' ? [step.ask] : 'debts' in step ? [step] : [])),
  )
  for (const [index, key] of keys.entries()) {
    const isKey = (wallet: unknown, token: unknown, debtor: unknown) =>
      wallet === key[0] && token === key[1] && debtor === key[2]
    const amounts = logs.flatMap(({ event, wallet, token, debtor, amount }) =>
      event === 'Paid' && isKey(wallet, token, debtor) ? [amount as bigint] : [],
    )
    // Totals rise in chain order, so the last log alone says what is remembered.
    const told = logs.flatMap(({ event, wallet, token, debtor, total }) =>
      (event === 'Paid' || event === 'Waived') && isKey(wallet, token, debtor) ? [total as bigint] : [],
    )
    expect(told).toEqual([...new Set(told)].sort((a, b) => Number(a - b)))
    expect(told.at(-1) ?? 0n).toBe(paid[index])
    const totals = asks.flatMap(({ wallet, token, debts }) =>
      debts.flatMap(({ debtor, total }) => (isKey(wallet, token, debtor) ? [total] : [])),
    )
    const highest = totals.toSorted((a, b) => Number(a - b)).at(-1) ?? 0n
    const sum = amounts.reduce((total, amount) => total + amount, 0n)
    const remembered = paid[index] as bigint
    expect([sum <= remembered, remembered <= highest]).toEqual([true, true])
  }
}

/** All of them in one block of this time and in this order: each pays a lower price than the one before. */
async function mineBlock(steps: Step[], time: bigint, nonces: Map<Address, number>): Promise<Answer[]> {
  const sendings = steps.map((step, index) => {
    const { from, ...call } = callOf(step)
    const nonce = nonces.get(from) ?? 0
    nonces.set(from, nonce + 1)
    const price = { gas: numberToHex(2_000_000), gasPrice: numberToHex(2_000_000_000 - index) }
    return rpc<Hash>(world.url, 'eth_sendTransaction', [
      { from, ...call, nonce: numberToHex(nonce), ...price },
    ])
  })
  const hashes = await Promise.all(sendings)
  await setNextTime(world.url, Number(time))
  await mine(world.url)
  type Receipt = { transactionHash: Hash; status: Hex; logs: never[] }
  const receipts = await rpc<Receipt[]>(world.url, 'eth_getBlockReceipts', ['latest'])
  expect(receipts.map(({ transactionHash }) => transactionHash)).toEqual(hashes)
  return receipts.map(({ status, logs }) => ({ ok: status === '0x1', logs: readLogs(logs) }))
}

/** The transaction that makes a step. */
function callOf(step: Step): { from: Address; to: Address; data: Hex } {
  if (step.do === 'mood') return { from: teller, to: step.token, data: moodData(step.mood) }
  if (step.do === 'prepare') {
    const call = executeData(register.address, askData(step.ask))
    return { from: teller, to: step.token, data: prepareData(step.ask.wallet, call) }
  }
  const call =
    step.do === 'approve'
      ? { to: step.token, data: approveData(register.address, step.units) }
      : { to: register.address, data: askData(step) }
  const isAccount = step.wallet !== wallets.at(-1)
  if (isAccount) return { from: step.wallet, ...call }
  return { from: teller, to: step.wallet, data: executeData(call.to, call.data) }
}

const askData = (ask: Ask): Hex =>
  ask.do === 'pay' ? payUpToData(ask.token, ask.debts, ask.validUntil) : waiveData(ask.token, ask.debts)

/** How many debtors there are, `person(0)` and so on. */
const people = 6

const debts: fc.Arbitrary<Debt[]> = fc
  .record({
    rows: fc.array(
      fc.record({
        number: fc.nat(people - 1),
        total: fc.bigInt(0n, 40n),
        payee: fc.option(
          fc.nat(3).map((number) => person(100 + number)),
          { nil: undefined },
        ),
      }),
      { maxLength: 5 },
    ),
    isDisordered: fc.nat(9).map((chance) => chance === 0),
  })
  .map(({ rows, isDisordered }) => {
    const ordered = [...new Map(rows.map((row) => [row.number, row])).values()].sort(
      (a, b) => a.number - b.number,
    )
    return (isDisordered ? rows : ordered).map(({ number, total, payee }) => owe(number, total, payee))
  })

const wallet = fc.nat(2)
const ask = fc.record({
  ...{ do: fc.constantFrom('pay', 'pay', 'pay', 'waive'), wallet, token: fc.nat(2), debts },
  /** Seconds from the block of its step to the deadline. */
  slack: fc.constantFrom(-1n, 0n, 1n, 9n, 10n, 1_000n, 1_000n),
})
const approve = fc.record({
  ...{ do: fc.constant('approve'), wallet, token: fc.nat(2), units: fc.bigInt(0n, 100n) },
})
const mood = fc.record({
  ...{ do: fc.constant('mood'), token: fc.nat(1) },
  mood: fc.constantFrom(...moods, 'ReturnsTrue', 'ReturnsTrue', 'ReturnsNothing'),
})
const prepare = fc.record({ do: fc.constant('prepare'), token: fc.nat(1), ask })
const sketch = fc.oneof(
  { weight: 12, arbitrary: ask },
  { weight: 1, arbitrary: approve },
  { weight: 4, arbitrary: mood },
  { weight: 5, arbitrary: prepare },
)
type Drawn<T> = T extends fc.Arbitrary<infer Value> ? Value : never
type Sketch = Drawn<typeof sketch>

/** Blocks of steps that name wallets and tokens by their numbers: 0 and 1 are tokens with moods. */
const stories: fc.Arbitrary<Sketch[][]> = fc.array(fc.array(sketch, { minLength: 4, maxLength: 16 }), {
  minLength: 1,
  maxLength: 3,
})

type Cast = { wallets: readonly Address[]; tokens: readonly Address[] }

/** A step with addresses, in a block of this time. Tokens call in the name of the last wallet alone. */
function stepOf(sketch: Sketch, { wallets, tokens }: Cast, time: bigint): Step {
  const token = tokens[sketch.token] as Address
  const askOf = (one: Drawn<typeof ask>, asking: number): Ask => ({
    ...{ do: one.do as Ask['do'], wallet: wallets[asking] as Address, token: tokens[one.token] as Address },
    ...{ debts: one.debts, validUntil: time + one.slack },
  })
  if ('ask' in sketch) return { do: 'prepare', token, ask: askOf(sketch.ask, wallets.length - 1) }
  if ('mood' in sketch) return { do: 'mood', token, mood: sketch.mood }
  if ('units' in sketch)
    return { do: 'approve', wallet: wallets[sketch.wallet] as Address, token, units: sketch.units }
  return askOf(sketch, sketch.wallet)
}
