import { type Address, type Hash, pad, toHex } from 'viem'
import { unitsOf } from '../../core/money.ts'
import { operatorAccount } from '../../infra/local/chain.ts'
import { rpc } from '../../infra/local/rpc.ts'
import { sendAllMined } from './chain-verbs.ts'
import { transferData, transfersBetween, usdt, usdtGas } from './usdt.ts'

const transfer = (from: Address, to: Address, cents: number) => ({
  ...{ from, to: usdt },
  data: transferData(to, unitsOf(cents)),
  gas: usdtGas,
})

/** Payers of their own, the first one being `buyer`, each with money and gas; anvil signs for all of them. */
export async function openPayers(
  rpcUrl: string,
  buyer: Address,
  rich: Address,
  count: number,
): Promise<Address[]> {
  const others = Array.from({ length: count - 1 }, (_, index) => pad(toHex(0xabc1 + index), { size: 20 }))
  for (const payer of others) {
    await rpc(rpcUrl, 'anvil_setBalance', [payer, '0xde0b6b3a7640000'])
    await rpc(rpcUrl, 'anvil_impersonateAccount', [payer])
  }
  await sendAllMined(
    rpcUrl,
    others.map((payer) => transfer(rich, payer, 1_000_00)),
  )
  return [buyer, ...others]
}

/** Everybody pays the operator, or another wallet of ours: the n-th payer `cents(n)`. Answers once all is in blocks. */
export const payAll = (
  rpcUrl: string,
  payers: readonly Address[],
  cents: (index: number) => number,
  to: Address = operatorAccount,
): Promise<Hash[]> =>
  sendAllMined(
    rpcUrl,
    payers.map((payer, index) => transfer(payer, to, cents(index))),
  )

/** USDT between the operator, or another wallet of ours, and each payer by the chain's logs, in units of 10^-18. */
export async function sumsOf(
  rpcUrl: string,
  payers: readonly Address[],
  wallet: Address = operatorAccount,
): Promise<{ paidIn: bigint; paidOut: bigint }[]> {
  const all = await transfersBetween(rpcUrl, {})
  const sum = (from: Address, to: Address) =>
    all
      .filter((one) => one.from === from.toLowerCase() && one.to === to.toLowerCase())
      .reduce((total, { units }) => total + units, 0n)
  return payers.map((payer) => ({ paidIn: sum(payer, wallet), paidOut: sum(wallet, payer) }))
}
