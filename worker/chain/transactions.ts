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
  return toTransaction(await endpoint.ask('eth_getTransactionByHash', [hash]), hash)
}

/** In the order given; every one must be in a block, so an endpoint that does not have it is behind. */
export async function readTransactions(endpoint: Endpoint, hashes: readonly Hash[]): Promise<Transaction[]> {
  const answers = await endpoint.askMany(
    hashes.map((hash) => ({ method: 'eth_getTransactionByHash', params: [hash] })),
  )
  return answers.map((answer, index) => {
    const transaction = toTransaction(answer, hashes[index] as Hash)
    if (!transaction || transaction === 'waiting') throw new RpcFailure('behind')
    return transaction
  })
}

function toTransaction(answer: unknown, hash: Hash): Transaction | 'waiting' | undefined {
  if (answer === null) return undefined
  const { from, input, blockNumber, blockHash, ...known } = (answer ?? {}) as Partial<RpcTransaction>
  if (known.hash?.toLowerCase() !== hash || typeof from !== 'string' || typeof input !== 'string')
    throw new RpcFailure('body')
  if (!blockNumber || !blockHash) return 'waiting'
  return {
    from: from.toLowerCase() as Address,
    input,
    blockNumber: BigInt(blockNumber),
    blockHash: blockHash.toLowerCase() as Hash,
  }
}
