import {
  type Address,
  encodeFunctionData,
  erc20Abi,
  type Hash,
  keccak256,
  pad,
  parseUnits,
  toHex,
} from 'viem'
import { usdtOnBsc } from '../../core/server/env.ts'
import { operatorAccount } from '../../infra/local/chain.ts'
import { rpc } from '../../infra/local/rpc.ts'

/** A transfer of USDT by hand, past the page; answers once it is in a block. */
export async function payByHand(
  rpcUrl: string,
  from: Address,
  usdt: number,
  token = usdtOnBsc,
): Promise<Hash> {
  const args = [operatorAccount, parseUnits(`${usdt}`, 18)] as const
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
  const hash = await rpc<Hash>(rpcUrl, 'eth_sendTransaction', [{ from, to: token, data, gas: '0x15f90' }])
  return mined(rpcUrl, hash)
}

/** Money of the chain itself, no token. */
export async function payBnb(rpcUrl: string, from: Address): Promise<Hash> {
  const hash = await rpc<Hash>(rpcUrl, 'eth_sendTransaction', [{ from, to: operatorAccount, value: '0x1' }])
  return mined(rpcUrl, hash)
}

async function mined(rpcUrl: string, hash: Hash): Promise<Hash> {
  while (!(await rpc(rpcUrl, 'eth_getTransactionReceipt', [hash]))) await Bun.sleep(50)
  return hash
}

const height = async (rpcUrl: string): Promise<number> => Number(await rpc<string>(rpcUrl, 'eth_blockNumber'))

/** Waits until so many more blocks were made. */
export async function waitBlocks(rpcUrl: string, count: number): Promise<void> {
  for (const target = (await height(rpcUrl)) + count; (await height(rpcUrl)) < target; ) await Bun.sleep(50)
}

/** Waits for a block whose time is not before this one, in milliseconds. */
export async function waitBlockTime(rpcUrl: string, time: number): Promise<void> {
  const newest = () => rpc<{ timestamp: string }>(rpcUrl, 'eth_getBlockByNumber', ['latest', false])
  while (Number((await newest()).timestamp) * 1000 < time) await Bun.sleep(100)
}

/** Stops the clock of the chain: from now on blocks come by `mine` alone. */
export const stopBlocks = (rpcUrl: string): Promise<unknown> => rpc(rpcUrl, 'evm_setIntervalMining', [0])
export const mine = (rpcUrl: string, blocks: number): Promise<unknown> =>
  rpc(rpcUrl, 'anvil_mine', [`0x${blocks.toString(16)}`])

const fakeToken: Address = '0x00000000000000000000000000000000000beef5'

/** A token that looks like USDT to the byte, at another address; the payer holds some. */
export async function payWithFakeToken(rpcUrl: string, from: Address): Promise<Hash> {
  const code = await rpc(rpcUrl, 'eth_getCode', [usdtOnBsc, 'latest'])
  await rpc(rpcUrl, 'anvil_setCode', [fakeToken, code])
  const balance = keccak256(`${pad(from)}${'0'.repeat(64)}`)
  await rpc(rpcUrl, 'anvil_setStorageAt', [fakeToken, balance, toHex(10n ** 24n, { size: 32 })])
  return payByHand(rpcUrl, from, 30, fakeToken)
}
