import type { Page } from 'playwright-core'
import {
  type Address,
  encodeFunctionData,
  erc20Abi,
  getContractAddress,
  type Hash,
  type Hex,
  pad,
  parseAbi,
  toHex,
} from 'viem'
import { unitsOf } from '../../core/money.ts'
import { usdtOnBsc } from '../../core/server/env.ts'
import disperse from '../../infra/contracts/disperse.json' with { type: 'json' }
import { operatorAccount } from '../../infra/local/chain.ts'
import { rpc } from '../../infra/local/rpc.ts'
import { arrive, fillLogin, openTab, panel } from './admin-verbs.ts'

export const payerCount = 12

/** Account 9 of anvil's mnemonic deploys nothing else, so the address is known before there is a chain. */
const deployer: Address = '0xa0Ee7A142d267C1f36714E4a8F75612F20a79720'
export const disperseAddress = getContractAddress({ from: deployer, nonce: 0n })

export async function deployDisperse(rpcUrl: string): Promise<void> {
  const hash = await rpc<Hash>(rpcUrl, 'eth_sendTransaction', [
    { from: deployer, data: disperse.bytecode, gas: '0x4c4b40' },
  ])
  await mined(rpcUrl, [hash])
}

const mined = async (rpcUrl: string, hashes: readonly Hash[]): Promise<void> => {
  for (const hash of hashes)
    while (!(await rpc(rpcUrl, 'eth_getTransactionReceipt', [hash]))) await Bun.sleep(40)
}

const transfer = (to: Address, cents: number): Hex =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, unitsOf(cents)] })

/** Twelve payers of their own, the first one being `buyer`, each with money and gas; anvil signs for all of them. */
export async function openPayers(rpcUrl: string, buyer: Address, rich: Address): Promise<Address[]> {
  const payers = Array.from({ length: payerCount }, (_, index) =>
    index === 0 ? buyer : pad(toHex(0xabc0 + index), { size: 20 }),
  )
  const funds: Hash[] = []
  for (const payer of payers.slice(1)) {
    await rpc(rpcUrl, 'anvil_setBalance', [payer, '0xde0b6b3a7640000'])
    await rpc(rpcUrl, 'anvil_impersonateAccount', [payer])
    funds.push(await send(rpcUrl, rich, payer, 1_000_00))
  }
  await mined(rpcUrl, funds)
  return payers
}

const send = (rpcUrl: string, from: Address, to: Address, cents: number): Promise<Hash> =>
  rpc(rpcUrl, 'eth_sendTransaction', [{ from, to: usdtOnBsc, data: transfer(to, cents), gas: '0x15f90' }])

/** Everybody pays the operator: the n-th payer `cents(n)`. Answers once all is in blocks. */
export async function payAll(
  rpcUrl: string,
  payers: readonly Address[],
  cents: (index: number) => number,
): Promise<Hash[]> {
  const hashes: Hash[] = []
  for (const [index, payer] of payers.entries())
    hashes.push(await send(rpcUrl, payer, operatorAccount, cents(index)))
  await mined(rpcUrl, hashes)
  return hashes
}

/** The operator sends by hand, past the desk. */
export const handOut = async (rpcUrl: string, to: Address, cents: number): Promise<void> =>
  mined(rpcUrl, [await send(rpcUrl, operatorAccount, to, cents)])

/** New money for the operator, paid by nobody. */
export async function fund(rpcUrl: string, cents: number): Promise<void> {
  const abi = parseAbi(['function mint(address to, uint256 value)'])
  const data = encodeFunctionData({ abi, functionName: 'mint', args: [operatorAccount, unitsOf(cents)] })
  const request = { from: deployer, to: usdtOnBsc, data, gas: '0x30d40' }
  await mined(rpcUrl, [await rpc<Hash>(rpcUrl, 'eth_sendTransaction', [request])])
}

const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** USDT between the operator and each payer by the chain's logs, in units of 10^-18. */
export async function sumsOf(
  rpcUrl: string,
  payers: readonly Address[],
): Promise<{ paidIn: bigint; paidOut: bigint }[]> {
  type Log = { topics: [Hex, Hex, Hex]; data: Hex }
  const word = (address: Address) => pad(address.toLowerCase() as Hex)
  const logsOf = (topics: (Hex | null)[]) =>
    rpc<Log[]>(rpcUrl, 'eth_getLogs', [
      { fromBlock: '0x0', address: usdtOnBsc, topics: [transferTopic, ...topics] },
    ])
  const sum = (logs: readonly Log[]) => logs.reduce((total, { data }) => total + BigInt(data), 0n)
  const sums = []
  for (const payer of payers)
    sums.push({
      paidIn: sum(await logsOf([word(payer), word(operatorAccount)])),
      paidOut: sum(await logsOf([word(operatorAccount), word(payer)])),
    })
  return sums
}

/** Logs in and opens the desk. */
export async function enterDesk(page: Page): Promise<void> {
  await fillLogin(page)
  await arrive(page)
  await openTab(page, '환불 관리')
}

export async function prepare(page: Page, which: '환불 준비' | '추가 준비' = '환불 준비'): Promise<void> {
  await panel(page).getByRole('button', { name: which }).click()
  await page.getByRole('dialog').getByRole('button', { name: '환불 준비' }).click()
}

export const connectOperator = (page: Page): Promise<void> =>
  panel(page).getByRole('button', { name: '운영자 지갑 연결' }).click()

/** The gold button, once it can be pressed. */
export const sign = (page: Page): Promise<void> =>
  panel(page)
    .getByRole('button', { name: /\d+건 지갑에서 승인/ })
    .click()

/** As at any moment: the page begins anew, and the wallet has to be connected again. */
export async function reload(page: Page): Promise<void> {
  await page.reload()
  await arrive(page)
  await connectOperator(page)
}

/** Another way than the one that is chosen by itself. */
export async function choosePath(page: Page, name: string): Promise<void> {
  await panel(page).locator('details:has(fieldset) summary').click()
  await panel(page).locator('details:has(fieldset)').getByText(name, { exact: true }).click()
}
