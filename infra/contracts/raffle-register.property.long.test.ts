import fc from 'fast-check'
import { type Address, getAddress, type Hash, type Hex, numberToHex, pad } from 'viem'
import { expect, test } from 'vitest'
import { register, usdtOnBsc } from '../../core/chain/register.ts'
import { mine, newestTime, setNextTime } from '../../e2e/lab/chain-verbs.ts'
import { forFile } from '../../e2e/lab/opened.ts'
import {
  book,
  type Debt,
  executeData,
  openRegister,
  payUpToData,
  person,
  prepareData,
  readLogs,
} from '../../e2e/lab/register.ts'
import { approveData, mintData } from '../../e2e/lab/usdt.ts'
import { rpc } from '../local/rpc.ts'

const calls = 10_000
const callsInBlock = 100
const people = 6

type Call = {
  wallet: number
  token: number
  by: Hex
  debts: Debt[]
  isLate: boolean
  callBack: Debt[] | null
}
type Log = ReturnType<typeof readLogs>[number]

const world = await forFile(openRegister())
const wallets = world.accounts.slice(1, 7) as Address[]
/** It has tokens and allows the register nothing. */
const poor = wallets.length - 1
const moody = getAddress(await world.deploy('MoodyToken'))
const tokens = [usdtOnBsc, moody]
/** In its name the moody token calls back. */
const open = getAddress(await world.deploy('OpenWallet'))
const debtors = [...Array.from({ length: people }, (_, number) => person(number)), ...wallets]
const books = [book, pad('0x0dd')]
const zero = pad('0x', { size: 20 })

/** Totals of each debtor by book and token, as the calls that succeed name them. */
const named = new Map<string, bigint>()
const keyOf = (by: Hex, token: Address, debtor: Address) => `${by} ${token} ${debtor}`
const paidBefore = (by: Hex, token: Address, debtor: Address) => named.get(keyOf(by, token, debtor)) ?? 0n

/** Whether the call is to succeed; the totals that it pays are noted then. */
function play({ wallet, token, by, debts, isLate, callBack }: Call): boolean {
  const at = tokens[token] as Address
  const due = (payer: Address | undefined, all: readonly Debt[]) =>
    all.filter(({ debtor, total }) => debtor !== payer && total > paidBefore(by, at, debtor))
  const own = due(wallets[wallet], debts)
  if (isLate || debts.some(({ debtor }) => debtor === zero) || (wallet === poor && own.length > 0))
    return false
  const inner = own.length > 0 ? due(open, callBack ?? []) : []
  for (const { debtor, total } of [...own, ...inner])
    if (total > paidBefore(by, at, debtor)) named.set(keyOf(by, at, debtor), total)
  return true
}

/** Totals grow from block to block, so that there is always somebody to pay. */
const callIn = (block: number): fc.Arbitrary<Call> => {
  const debt = fc.record({
    debtor: fc.oneof({ weight: 99, arbitrary: fc.constantFrom(...debtors) }, fc.constant(zero)),
    total: fc.bigInt(0n, BigInt(block + 1) * 10n),
  })
  const debts = fc.array(debt, { maxLength: 6 })
  return fc
    .record({
      ...{ wallet: fc.nat(poor), token: fc.nat(1), by: fc.constantFrom(...books), debts },
      isLate: fc.nat(9).map((chance) => chance === 0),
      callBack: fc.option(
        fc.array(
          debt.filter(({ debtor }) => debtor !== zero),
          { maxLength: 3 },
        ),
      ),
    })
    .map((call) => (tokens[call.token] === moody ? call : { ...call, callBack: null }))
}

/** The transactions of the calls in one block, in this order: each pays a lower price than the one before. */
async function mineCalls(block: readonly Call[], nonces: Map<Address, number>) {
  const time = (await newestTime(world.url)) + 10
  const [, , , , , , , teller] = world.accounts as Address[]
  const transactions = block.flatMap(({ wallet, token, by, debts, isLate, callBack }) => {
    const [from, at] = [wallets[wallet] as Address, tokens[token] as Address]
    const data = payUpToData(at, debts, { by, validUntil: BigInt(isLate ? time - 1 : time) })
    const inner = executeData(register.address, payUpToData(at, callBack ?? [], { by }))
    // What an earlier call left prepared is replaced.
    const prepared = { from: teller as Address, to: at, data: prepareData(open, inner) }
    return [...(at === moody ? [prepared] : []), { from, to: register.address, data }]
  })
  const sendings = transactions.map((transaction, index) => {
    const nonce = nonces.get(transaction.from) ?? 0
    nonces.set(transaction.from, nonce + 1)
    const price = { gas: numberToHex(2_000_000), gasPrice: numberToHex(2_000_000_000 - index) }
    return rpc<Hash>(world.url, 'eth_sendTransaction', [
      { ...transaction, nonce: numberToHex(nonce), ...price },
    ])
  })
  const hashes = await Promise.all(sendings)
  await setNextTime(world.url, time)
  await mine(world.url)
  type Receipt = { transactionHash: Hash; status: Hex; to: Address; logs: never[] }
  const receipts = await rpc<Receipt[]>(world.url, 'eth_getBlockReceipts', ['latest'])
  expect(receipts.map(({ transactionHash }) => transactionHash)).toEqual(hashes)
  return receipts
    .filter(({ to }) => getAddress(to) === register.address)
    .map(({ status, logs }) => ({ isOk: status === '0x1', logs: readLogs(logs) }))
}

test('after thousands of calls by many wallets each debtor has received what is remembered, and that is the highest total of a call that succeeded', async () => {
  for (const token of tokens)
    for (const [index, holder] of [...wallets, open].entries()) {
      await world.send({ from: wallets[0] as Address, to: token, data: mintData(holder, 10n ** 9n) })
      const approve = approveData(register.address, index === poor ? 0n : 10n ** 9n)
      const call =
        holder === open
          ? { from: wallets[0] as Address, to: open, data: executeData(token, approve) }
          : { from: holder, to: token, data: approve }
      await world.send(call)
    }
  const nonces = new Map<Address, number>()
  for (const sender of world.accounts)
    nonces.set(sender, Number(await rpc<Hex>(world.url, 'eth_getTransactionCount', [sender, 'latest'])))
  await rpc(world.url, 'evm_setBlockGasLimit', [numberToHex(10n ** 9n)])
  await rpc(world.url, 'evm_setAutomine', [false])

  const seen: Log[] = []
  const counts = { failed: 0, calledBack: 0 }
  for (let block = 0; block < calls / callsInBlock; block++) {
    const size = { minLength: callsInBlock, maxLength: callsInBlock }
    const [played = []] = fc.sample(fc.array(callIn(block), size), { seed: block, numRuns: 1 })
    const answers = await mineCalls(played, nonces)
    expect(answers.map(({ isOk }) => isOk)).toEqual(played.map(play))
    for (const { isOk, logs } of answers) {
      if (!isOk) counts.failed++
      for (const log of logs) {
        seen.push(log)
        if (log.event === 'CalledBack' && log.ok) counts.calledBack++
      }
    }
  }
  await expectBooks(seen)
  // Calls that do little prove little.
  const most = [counts.failed, counts.calledBack, seen.length].map((count) => count > calls / 20)
  expect(most).toEqual([true, true, true])
}, 300_000)

async function expectBooks(seen: readonly Log[]): Promise<void> {
  for (const token of tokens)
    for (const debtor of debtors) {
      const remembered = await Promise.all(books.map((by) => world.paid(token, debtor, by)))
      expect(remembered).toEqual(books.map((by) => paidBefore(by, token, debtor)))
      const told = books.map((by) =>
        seen.flatMap((log) =>
          log.event === 'Paid' && log.book === by && log.token === token && log.debtor === debtor
            ? [log]
            : [],
        ),
      )
      expect(told.map((logs) => sumOf(logs.map(({ amount }) => amount)))).toEqual(remembered)
      expect(told.map((logs) => logs.at(-1)?.total ?? 0n)).toEqual(remembered)
      if (token === usdtOnBsc && !wallets.includes(debtor))
        expect(await balanceOf(token, debtor)).toBe(sumOf(remembered))
    }
  const moved = seen.flatMap((log) => (log.event === 'Transfer' ? [log] : []))
  for (const debtor of debtors) {
    const received = sumOf(moved.flatMap(({ to, value }) => (to === debtor ? [value] : [])))
    const all = tokens.flatMap((token) => books.map((by) => paidBefore(by, token, debtor)))
    expect(received).toBe(sumOf(all))
  }
}

const sumOf = (amounts: readonly bigint[]): bigint => amounts.reduce((sum, amount) => sum + amount, 0n)
const balanceOf = async (token: Address, holder: Address): Promise<bigint> =>
  BigInt(await rpc<Hex>(world.url, 'eth_call', [{ to: token, data: `0x70a08231${pad(holder).slice(2)}` }]))
