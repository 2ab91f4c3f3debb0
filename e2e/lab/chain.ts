import { type Address, encodeFunctionData, erc20Abi, type Hash, type Hex, numberToHex } from 'viem'
import { unitsOf } from '../../core/money.ts'
import { usdtOnBsc } from '../../core/server/env.ts'
import { operatorAccount, startChain } from '../../infra/local/chain.ts'
import { rpc } from '../../infra/local/rpc.ts'
import { type ContractName, callData, deployData } from './contracts.ts'

export const usdt = usdtOnBsc.toLowerCase() as Address
export const operator = operatorAccount.toLowerCase() as Address

type Sending = { from: Address; to?: Address; data: Hex; gas?: bigint; nonce?: number }

/** A chain of a test's own, in the words of the story. Blocks come when the test says so. */
export type TestChain = {
  url: string
  /** Each holds 1,000,000 USDT. */
  buyers: readonly [Address, Address, Address, ...Address[]]
  /** Sends; the transaction waits for `mine`. */
  send: (sending: Sending) => Promise<Hash>
  payUsdt: (payment: {
    from: Address
    to?: Address
    cents: number
    gas?: bigint
    nonce?: number
  }) => Promise<Hash>
  /** Deploys and mines. */
  deploy: (from: Address, name: ContractName, args?: readonly unknown[]) => Promise<Address>
  call: (
    from: Address,
    to: Address,
    name: ContractName,
    functionName: string,
    args: readonly unknown[],
  ) => Promise<Hash>
  /** Lets `spender` move this buyer's USDT. */
  approve: (from: Address, spender: Address) => Promise<Hash>
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
  const [, ...buyers] = (await ask<Address[]>('eth_accounts')).map(
    (account) => account.toLowerCase() as Address,
  )

  const send = ({ from, to, data, gas = 1_000_000n, nonce }: Sending): Promise<Hash> =>
    ask('eth_sendTransaction', [
      {
        from,
        to,
        data,
        gas: numberToHex(gas),
        gasPrice: '0x3b9aca00',
        ...(nonce !== undefined && { nonce: numberToHex(nonce) }),
      },
    ])
  const mine = (blocks = 1) => ask<void>('anvil_mine', [numberToHex(blocks)])

  return {
    url,
    buyers: buyers as unknown as TestChain['buyers'],
    send,
    payUsdt: ({ from, to = operator, cents, ...rest }) =>
      send({
        from,
        to: usdt,
        data: encodeFunctionData({
          abi: erc20Abi,
          functionName: 'transfer',
          args: [to, unitsOf(BigInt(cents))],
        }),
        ...rest,
      }),
    deploy: async (from, name, args) => {
      const hash = await send({ from, data: deployData(name, args), gas: 5_000_000n })
      await mine()
      const receipt = await ask<{ contractAddress: Address }>('eth_getTransactionReceipt', [hash])
      return receipt.contractAddress
    },
    call: (from, to, name, functionName, args) =>
      send({ from, to, data: callData(name, functionName, args), gas: 5_000_000n }),
    approve: (from, spender) =>
      send({
        from,
        to: usdt,
        data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, 2n ** 255n] }),
      }),
    mine,
    finalize: () => mine(3),
    reorg: (depth) => ask('anvil_reorg', [depth, []]),
    drop: (hash) => ask('anvil_dropTransaction', [hash]),
    height: async () => BigInt(await ask<Hex>('eth_blockNumber')),
    rpc: ask,
    stop,
  }
}
