import { type Address, type Hash, pad, toHex } from 'viem'
import { startChain } from '../../../infra/local/chain.ts'
import { rpc } from '../../../infra/local/rpc.ts'
import { accountsOf, heightOf, mine, setNextTime } from '../../lab/chain-verbs.ts'
import { deployData } from '../../lab/contracts.ts'
import { approveData, transferData, usdt } from '../../lab/usdt.ts'

/** In the past of every real clock; the same in each run, so that a seed tells the same story twice. */
export const epoch = 1_790_000_000
export const firstSale = epoch + 100
const firstBlocks = 6

/** Accounts 1 to 5 buy; account 9 deploys, and does what nobody asked for. */
export const buyers = [1, 2, 3, 4, 5] as const
const strangerAccount = 9
const gas = '0xde0b6b3a7640000'

/** Three wallets of the operator that have never held USDT. */
export const wallets = [0xa, 0xb, 0xc].map((n) => pad(toHex(0x3a11e700 + n), { size: 20 })) as [
  Address,
  Address,
  Address,
]

/** A chain on which everybody has money, and whose newest block is the first one of the sale. */
export async function openSimulatedChain() {
  const { url, stop } = await startChain({ blockTime: null, genesisTime: epoch })
  const ask = <T>(method: string, ...params: unknown[]) => rpc<T>(url, method, params)
  const accounts = await accountsOf(url)
  const stranger = accounts[strangerAccount] as Address

  async function mineAt(seconds: number): Promise<void> {
    await setNextTime(url, seconds)
    await mine(url)
  }
  /** Into the pool; it waits for `mineAt`. */
  const submit = (from: Address, to: Address | undefined, data: string): Promise<Hash> =>
    ask('eth_sendTransaction', { from, to, data, gas: '0x2dc6c0', gasPrice: '0x3b9aca00' })
  async function deploy(data: string): Promise<Address> {
    const hash = await submit(stranger, undefined, data)
    await mineAt(epoch + 30)
    return (await ask<{ contractAddress: Address }>('eth_getTransactionReceipt', hash)).contractAddress
  }

  await ask('evm_setAutomine', false)
  for (const wallet of wallets) {
    await ask('anvil_setBalance', wallet, gas)
    await ask('anvil_impersonateAccount', wallet)
  }
  const fake = await deploy(deployData('FakeUsdt'))
  const mover = await deploy(deployData('Mover', [usdt]))
  for (const buyer of buyers) await submit(accounts[buyer] as Address, usdt, approveData(mover))
  const early = await submit(accounts[1] as Address, usdt, transferData(wallets[0], 10n ** 19n))
  while ((await heightOf(url)) < firstBlocks) await mineAt(epoch + 30)
  await mineAt(firstSale)

  return {
    ...{ url, ask, accounts, stranger, fake, mover, mineAt, submit, stop },
    /** A payment from before the first sale. */
    early,
    /** Height of the first block of the sale. */
    firstBlock: firstBlocks + 1,
  }
}
