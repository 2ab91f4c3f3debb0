import { type Address, type Hash, type Hex, numberToHex } from 'viem'
import { unitsOf } from '../../core/money.ts'
import { operatorAccount, startChain } from '../../infra/local/chain.ts'
import { rpc } from '../../infra/local/rpc.ts'
import { accountsOf, heightOf, mine as mineBlocks } from './chain-verbs.ts'
import { type ContractName, callData, deployData } from './contracts.ts'
import { approveData, transferData, usdt } from './usdt.ts'

export const operator = operatorAccount.toLowerCase() as Address

type Sending = { from: Address; to?: Address; data?: Hex; gas?: bigint; gasPrice?: bigint; nonce?: number }

/**
 * A chain of a test's own, in the words of the story, that stands still: whatever is submitted waits in the pool
 * until the test mines.
 */
export type TestChain = {
  url: string
  /** Each holds 1,000,000 USDT. */
  buyers: readonly [Address, Address, Address, ...Address[]]
  /** Into the pool, as what follows; it waits for `mine`. */
  submit: (sending: Sending) => Promise<Hash>
  submitPayment: (payment: {
    from: Address
    to?: Address
    cents: number
    gas?: bigint
    nonce?: number
  }) => Promise<Hash>
  /** Deploys and mines: bytes of any contract, or one of Hostile.sol. */
  deployCode: (from: Address, bytecode: Hex) => Promise<Address>
  deploy: (from: Address, name: ContractName, args?: readonly unknown[]) => Promise<Address>
  submitCall: (
    from: Address,
    to: Address,
    name: ContractName,
    functionName: string,
    args: readonly unknown[],
  ) => Promise<Hash>
  /** Lets `spender` move this buyer's USDT. */
  submitApproval: (from: Address, spender: Address) => Promise<Hash>
  mine: (blocks?: number) => Promise<void>
  /** Mines until everything so far is final. */
  finalize: () => Promise<void>
  /** Other blocks take the place of the last `depth`, without their transactions. */
  reorg: (depth: number) => Promise<void>
  /** Takes a waiting transaction out of the pool. */
  drop: (hash: Hash) => Promise<void>
  height: () => Promise<bigint>
  rpc: <T>(method: string, params?: readonly unknown[]) => Promise<T>
  stop: () => Promise<void>
}

type Options = { genesisTime?: number; history?: boolean }

export async function openTestChain(options: Options = {}): Promise<TestChain> {
  const { url, stop } = await startChain({ blockTime: null, ...options })
  const ask = <T>(method: string, params: readonly unknown[] = []) => rpc<T>(url, method, params)
  await ask('evm_setAutomine', [false])
  const [, ...buyers] = (await accountsOf(url)).map((account) => account.toLowerCase() as Address)

  const submit = ({
    from,
    to,
    data,
    gas = 1_000_000n,
    gasPrice = 10n ** 9n,
    nonce,
  }: Sending): Promise<Hash> =>
    ask('eth_sendTransaction', [
      {
        from,
        to,
        ...(data && { data }),
        gas: numberToHex(gas),
        gasPrice: numberToHex(gasPrice),
        ...(nonce !== undefined && { nonce: numberToHex(nonce) }),
      },
    ])
  const mine = (blocks = 1) => mineBlocks(url, blocks)
  async function deployCode(from: Address, bytecode: Hex): Promise<Address> {
    const hash = await submit({ from, data: bytecode, gas: 5_000_000n })
    await mine()
    const receipt = await ask<{ contractAddress: Address }>('eth_getTransactionReceipt', [hash])
    return receipt.contractAddress
  }

  return {
    url,
    buyers: buyers as unknown as TestChain['buyers'],
    submit,
    submitPayment: ({ from, to = operator, cents, ...rest }) =>
      submit({ from, to: usdt, data: transferData(to, unitsOf(BigInt(cents))), ...rest }),
    deployCode,
    deploy: (from, name, args) => deployCode(from, deployData(name, args)),
    submitCall: (from, to, name, functionName, args) =>
      submit({ from, to, data: callData(name, functionName, args), gas: 5_000_000n }),
    submitApproval: (from, spender) => submit({ from, to: usdt, data: approveData(spender) }),
    mine,
    finalize: () => mine(3),
    reorg: (depth) => ask('anvil_reorg', [depth, []]),
    drop: (hash) => ask('anvil_dropTransaction', [hash]),
    height: async () => BigInt(await heightOf(url)),
    rpc: ask,
    stop,
  }
}
