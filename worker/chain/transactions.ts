import type { Address, Hash, Hex } from 'viem'
import type { Endpoint } from './endpoint.ts'
import { RpcFailure } from './failure.ts'

/** A mined transaction: its sender and calldata. */
export type Transaction = { from: Address; input: Hex; blockNumber: bigint; blockHash: Hash }
type RpcTransaction = {
  hash: Hash
  from: Address
  input: Hex
  blockNumber: Hex | null
  blockHash: Hash | null
}

/** `waiting` while it is in no block yet; undefined when this endpoint does not know it. */
export async function readTransaction(
  endpoint: Endpoint,
  hash: Hash,
): Promise<Transaction | 'waiting' | undefined> {
  const answer = (await endpoint.ask('eth_getTransactionByHash', [hash])) as Partial<RpcTransaction> | null
  if (answer === null) return undefined
  const { from, input, blockNumber, blockHash } = answer
  if (answer.hash?.toLowerCase() !== hash || typeof from !== 'string' || typeof input !== 'string')
    throw new RpcFailure('body')
  if (!blockNumber || !blockHash) return 'waiting'
  return {
    from: from.toLowerCase() as Address,
    input,
    blockNumber: BigInt(blockNumber),
    blockHash: blockHash.toLowerCase() as Hash,
  }
}
