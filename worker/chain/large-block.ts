import type { Hash } from 'viem'
import type { RpcLog } from '../../core/payment/payment.ts'
import type { Endpoint } from './endpoint.ts'
import { RpcFailure } from './failure.ts'
import { allFiltersOf, readLogsOfBlocks, type Watch } from './logs.ts'
import { readReceipts } from './receipts.ts'
import { type Block, toBlock } from './shapes.ts'

/**
 * Logs of a block whose receipts do not fit into one answer, as a stranger can make a block for a dollar: its transfers
 * from and to the watched wallets by the block's hash, and where these are refused too, receipt by receipt, of which those
 * logs are kept that `isOf` names.
 */
export async function readLargeBlock(
  endpoint: Endpoint,
  watch: Watch,
  block: Block,
  isOf: (log: RpcLog) => boolean,
): Promise<RpcLog[]> {
  try {
    return await readLogsOfBlocks(endpoint, allFiltersOf(watch), [block])
  } catch (error) {
    if (!(error instanceof RpcFailure) || !['rpc', 'too-large'].includes(error.kind)) throw error
    return readEachReceipt(endpoint, block, isOf)
  }
}

async function readEachReceipt(
  endpoint: Endpoint,
  { hash, number }: Block,
  isOf: (log: RpcLog) => boolean,
): Promise<RpcLog[]> {
  const own = toBlock(await endpoint.ask('eth_getBlockByHash', [hash, false]), number)
  if (!own) throw new RpcFailure('behind')
  const hashes = own.told.transactions as Hash[]
  const receipts = await readReceipts(endpoint, hashes, (logs) => logs.filter(isOf))
  return receipts.flatMap((receipt) => {
    if (!receipt) throw new RpcFailure('behind')
    if (own.hash !== hash || receipt.blockHash !== hash) throw new RpcFailure('body')
    return receipt.status === 'success' ? receipt.logs : []
  })
}
