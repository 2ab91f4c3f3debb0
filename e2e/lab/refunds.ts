import { type Address, type Hash, type Hex, numberToHex, pad, toHex } from 'viem'
import { register } from '../../core/chain/register.ts'
import { unitsOf } from '../../core/money.ts'
import { encodeApprove, encodePayUpTo, payersPerCall } from '../../core/refund/safe-file.ts'
import { operatorAccount } from '../../infra/local/chain.ts'
import { rpc } from '../../infra/local/rpc.ts'
import { newestTime, sendAllMined, sendMined } from './chain-verbs.ts'
import { until } from './until.ts'
import { transferData, transfersBetween, usdt, usdtGas } from './usdt.ts'

/** What a call of the register may take. */
const callGas = numberToHex(12_000_000)

const transfer = (from: Address, to: Address, cents: number) => ({
  ...{ from, to: usdt },
  data: transferData(to, unitsOf(cents)),
  gas: usdtGas,
})

/** Payers that nobody has seen before, each with gas and 1,000 USDT of `rich`; anvil signs for all of them. */
export async function openPayers(rpcUrl: string, rich: Address, count: number): Promise<Address[]> {
  const payers = Array.from({ length: count }, (_, index) => pad(toHex(0xabc1 + index), { size: 20 }))
  for (const payer of payers) {
    await rpc(rpcUrl, 'anvil_setBalance', [payer, '0xde0b6b3a7640000'])
    await rpc(rpcUrl, 'anvil_impersonateAccount', [payer])
  }
  await sendAllMined(
    rpcUrl,
    payers.map((payer) => transfer(rich, payer, 1_000_00)),
  )
  return payers
}

/** Everybody pays the operator, the n-th payer `cents(n)`. Answers once all is in blocks. */
export const payAll = (
  rpcUrl: string,
  payers: readonly Address[],
  cents: (index: number) => number,
): Promise<Hash[]> =>
  sendAllMined(
    rpcUrl,
    payers.map((payer, index) => transfer(payer, operatorAccount, cents(index))),
  )

/** USDT from each payer to the operator, and from `wallet` back to him, by the chain's logs. */
export async function sumsOf(
  rpcUrl: string,
  payers: readonly Address[],
  wallet: Address,
): Promise<{ paidIn: bigint; paidOut: bigint }[]> {
  const all = await transfersBetween(rpcUrl, {})
  const sum = (from: Address, to: Address) =>
    all
      .filter((one) => one.from === from.toLowerCase() && one.to === to.toLowerCase())
      .reduce((total, { units }) => total + units, 0n)
  return payers.map((payer) => ({ paidIn: sum(payer, operatorAccount), paidOut: sum(wallet, payer) }))
}

type Debt = { debtor: Address; total: bigint }

/** An exact approval and one call of the register by this wallet; answers the call's hash once it is in a block. */
export async function payUpTo(
  rpcUrl: string,
  { from, book, debts, sum }: { from: Address; book: Hex; debts: readonly Debt[]; sum: bigint },
): Promise<Hash> {
  const approval = encodeApprove(register.address, sum)
  await sendMined(rpcUrl, { from, to: usdt, data: approval, gas: usdtGas })
  const data = encodePayUpTo(book, usdt, debts, (await newestTime(rpcUrl)) + 3600)
  return sendMined(rpcUrl, { from, to: register.address, data, gas: callGas })
}

type Call = (method: string, path: string, body?: unknown) => Promise<{ status: number; body: Answer }>
// biome-ignore lint/suspicious/noExplicitAny: whoever asks reads what he expects
type Answer = any
type Event = { eventNumber: number; refundInfo: { totalTickets: number; totalAmount: number } }

/** What the desk would ask a wallet to sign for this event; waits while no worker has read what the wallets sent. */
async function listDue(call: Call, eventNumber: number): Promise<{ book: Hex; debts: Due[] }> {
  let listed: Answer
  const isListed = async () => {
    const { book, events } = (await call('GET', '/api/admin/refunds/summary')).body
    const found = (events as Event[] | undefined)?.find((event) => event.eventNumber === eventNumber)
    if (!found) return false
    const { refundInfo } = found
    const { status, body } = await call('POST', '/api/admin/raffle/execute-refund', {
      ...{ refundInfo, eventNumber },
    })
    if (status === 200) listed = { book, debts: body.refundTransactions.map(toDue) }
    else if (status !== 503 && body.code !== 'REFUND_TOTALS_CHANGED') throw new Error(JSON.stringify(body))
    return status === 200
  }
  await until(isListed, `what event ${eventNumber} owes`)
  return listed
}

type Due = Debt & { units: bigint }
const toDue = ({ to, units, total }: { to: Address; units: string; total: string }): Due => ({
  ...{ debtor: to, units: BigInt(units), total: BigInt(total) },
})

/** Pays all that is due for an event out of this wallet, as the desk does, and tells the server of each call. */
export async function refundEvent(
  call: Call,
  rpcUrl: string,
  { eventNumber, from }: { eventNumber: number; from: Address },
): Promise<Due[]> {
  const { book, debts } = await listDue(call, eventNumber)
  for (let at = 0; at < debts.length; at += payersPerCall) {
    const part = debts.slice(at, at + payersPerCall)
    const sum = part.reduce((total, { units }) => total + units, 0n)
    const transactionHash = await payUpTo(rpcUrl, { from, book, debts: part, sum })
    await call('POST', '/api/admin/refunds/sent', {
      ...{ transactionHash, payers: part.map(({ debtor }) => debtor) },
    })
  }
  return debts
}
