import { type Address, encodeFunctionData, erc20Abi, type Hash, parseUnits } from 'viem'
import { usdtOnBsc } from '../core/env.ts'
import { operatorAccount } from '../infra/local/chain.ts'
import { rpc } from '../infra/local/rpc.ts'

/** A transfer of USDT by hand, past the page; answers once it is in a block. */
export async function payByHand(rpcUrl: string, from: Address, usdt: number): Promise<Hash> {
  const args = [operatorAccount, parseUnits(`${usdt}`, 18)] as const
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
  const hash = await rpc<Hash>(rpcUrl, 'eth_sendTransaction', [{ from, to: usdtOnBsc, data, gas: '0x15f90' }])
  while (!(await rpc(rpcUrl, 'eth_getTransactionReceipt', [hash]))) await Bun.sleep(50)
  return hash
}

const height = async (rpcUrl: string): Promise<number> => Number(await rpc<string>(rpcUrl, 'eth_blockNumber'))

/** Waits until so many more blocks were made. */
export async function waitBlocks(rpcUrl: string, count: number): Promise<void> {
  for (const target = (await height(rpcUrl)) + count; (await height(rpcUrl)) < target; ) await Bun.sleep(50)
}

/** Stops the clock of the chain: from now on blocks come by `mine` alone. */
export const stopBlocks = (rpcUrl: string): Promise<unknown> => rpc(rpcUrl, 'evm_setIntervalMining', [0])
export const mine = (rpcUrl: string, blocks: number): Promise<unknown> =>
  rpc(rpcUrl, 'anvil_mine', [`0x${blocks.toString(16)}`])
