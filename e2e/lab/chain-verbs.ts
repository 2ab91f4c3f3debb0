import { type Address, type Hash, type Hex, numberToHex } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { rpc } from '../../infra/local/rpc.ts'
import { until } from './until.ts'

type Transaction = { from: Address; to?: Address; data?: Hex; value?: Hex; gas?: Hex }

/** Answers once the transaction is in a block; after `eth_sendTransaction` alone that may still be on its way. */
export async function sendMined(rpcUrl: string, transaction: Transaction): Promise<Hash> {
  type Receipt = { transactionHash: Hash }
  const { transactionHash } = await rpc<Receipt>(rpcUrl, 'eth_sendTransactionSync', [transaction])
  return transactionHash
}

/** Sends all of them in this order, and answers once the last one is in a block. */
export async function sendAllMined(rpcUrl: string, transactions: readonly Transaction[]): Promise<Hash[]> {
  const hashes: Hash[] = []
  for (const transaction of transactions)
    hashes.push(await rpc<Hash>(rpcUrl, 'eth_sendTransaction', [transaction]))
  for (const hash of hashes)
    await until(() => rpc(rpcUrl, 'eth_getTransactionReceipt', [hash]), `a block with ${hash}`)
  return hashes
}

/** Takes back what was done since; anvil would lose the next transaction of a sender whose last one is still in the pool. */
export async function revertTo(rpcUrl: string, snapshot: string): Promise<void> {
  const isPoolEmpty = async () => Number((await rpc<{ pending: Hex }>(rpcUrl, 'txpool_status')).pending) === 0
  await until(isPoolEmpty, 'an empty pool')
  await rpc(rpcUrl, 'evm_revert', [snapshot])
}

/** Anvil signs for them; number 0 is the operator, the next nine hold USDT. */
export const accountsOf = (rpcUrl: string): Promise<Address[]> => rpc(rpcUrl, 'eth_accounts')

/** One of them with its key, which everybody knows. */
export const accountAt = (addressIndex: number) =>
  mnemonicToAccount('test test test test test test test test test test test junk', { addressIndex })

export const heightOf = async (rpcUrl: string): Promise<number> =>
  Number(await rpc<Hex>(rpcUrl, 'eth_blockNumber'))

/** Seconds of the newest block. */
export async function newestTime(rpcUrl: string): Promise<number> {
  const { timestamp } = await rpc<{ timestamp: Hex }>(rpcUrl, 'eth_getBlockByNumber', ['latest', false])
  return Number(timestamp)
}

/** So many blocks, with times of the chain's clock or so many seconds apart. */
export async function mine(rpcUrl: string, blocks = 1, secondsApart?: number): Promise<void> {
  const interval = secondsApart === undefined ? [] : [numberToHex(secondsApart)]
  // Thousands at once take longer than one call may on a busy machine.
  for (let left = blocks; left > 0; left -= 500)
    await rpc(rpcUrl, 'anvil_mine', [numberToHex(Math.min(left, 500)), ...interval])
}

/** The next block gets this time. */
export async function setNextTime(rpcUrl: string, seconds: number): Promise<void> {
  await rpc(rpcUrl, 'evm_setNextBlockTimestamp', [seconds])
}

/** Stops the clock of the chain: from now on blocks come by `mine` alone. */
export async function stopBlocks(rpcUrl: string): Promise<void> {
  await rpc(rpcUrl, 'evm_setIntervalMining', [0])
}

/** Blocks come by themselves again. */
export async function startBlocks(rpcUrl: string, secondsApart = 1): Promise<void> {
  await rpc(rpcUrl, 'evm_setIntervalMining', [secondsApart])
}

/** Waits until so many more blocks were made. */
export async function waitBlocks(rpcUrl: string, count: number): Promise<void> {
  const target = (await heightOf(rpcUrl)) + count
  await until(async () => (await heightOf(rpcUrl)) >= target, `block ${target}`)
}

/** Waits for a block whose time is not before this one, in milliseconds. */
export async function waitBlockTime(rpcUrl: string, time: number): Promise<void> {
  await until(
    async () => (await newestTime(rpcUrl)) * 1000 >= time,
    `a block at ${new Date(time).toISOString()}`,
    60_000,
  )
}
