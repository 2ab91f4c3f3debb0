import { type Address, type Hash, type Hex, numberToHex } from 'viem'
import { unitsOf } from '../../core/money.ts'
import { operatorAccount, startChain } from '../../infra/local/chain.ts'
import { rpc } from '../../infra/local/rpc.ts'
import { accountsOf, heightOf, mine as mineBlocks } from './chain-verbs.ts'
import { type ContractName, callData, deployData } from './contracts.ts'
import { approveData, transferData, usdt } from './usdt.ts'

export const operator = operatorAccount.toLowerCase() as Address

type Payment = { from: Address; to?: Address; cents: number; gas?: bigint; nonce?: number }
type Sending = { from: Address; to?: Address; data?: Hex; gas?: bigint; gasPrice?: bigint; nonce?: number }

export type TestChain = Awaited<ReturnType<typeof openTestChain>>

type Options = { genesisTime?: number; history?: boolean }

/** A chain of a test's own that stands still: whatever is submitted waits in the pool until the test mines. */
export async function openTestChain(options: Options = {}) {
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
    /** Each holds 1,000,000 USDT. */
    buyers: buyers as unknown as readonly [Address, Address, Address, ...Address[]],
    /** Into the pool, as what follows; it waits for `mine`. */
    submit,
    submitPayment: ({ from, to = operator, cents, ...rest }: Payment) =>
      submit({ from, to: usdt, data: transferData(to, unitsOf(BigInt(cents))), ...rest }),
    /** Deploys and mines: bytes of any contract, or one of Hostile.sol. */
    deployCode,
    deploy: (from: Address, name: ContractName, args?: readonly unknown[]) =>
      deployCode(from, deployData(name, args)),
    submitCall: (
      from: Address,
      to: Address,
      name: ContractName,
      functionName: string,
      args: readonly unknown[],
    ) => submit({ from, to, data: callData(name, functionName, args), gas: 5_000_000n }),
    /** Lets `spender` move this buyer's USDT. */
    submitApproval: (from: Address, spender: Address) =>
      submit({ from, to: usdt, data: approveData(spender) }),
    mine,
    /** Mines until everything so far is final. */
    finalize: () => mine(3),
    /** Other blocks take the place of the last `depth`, without their transactions. */
    reorg: (depth: number): Promise<void> => ask('anvil_reorg', [depth, []]),
    /** Takes a waiting transaction out of the pool. */
    drop: (hash: Hash): Promise<void> => ask('anvil_dropTransaction', [hash]),
    height: async () => BigInt(await heightOf(url)),
    rpc: ask,
    stop,
  }
}
