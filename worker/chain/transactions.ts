import type { Address, Hash, Hex } from 'viem'
import type { Endpoint } from './endpoint.ts'
import { RpcFailure } from './failure.ts'
import { isQuantity } from './shapes.ts'

/** A mined transaction: its sender, whom it calls (null for a new contract) and with what. */
export type Transaction = {
  from: Address
  to: Address | null
  input: Hex
  blockNumber: bigint
  blockHash: Hash
}
type RpcTransaction = {
  hash: Hash
  from: Address
  to: Address | null
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

/** What two endpoints must say alike of a transaction. */
export const transactionPrint = ({ blockNumber, blockHash, from, to, input }: Transaction): string =>
  `${blockNumber} ${blockHash} ${from} ${to} ${input}`

/**
 * True if an endpoint lied about a transaction: its hash fixes sender, callee and calldata, and finality its block. Above the
 * final block honest endpoints may be on two branches for a while.
 */
export const isFalse = (odd: Transaction, decided: Transaction, final: bigint): boolean =>
  odd.from !== decided.from ||
  odd.to !== decided.to ||
  odd.input !== decided.input ||
  (odd.blockNumber <= final && decided.blockNumber <= final)

function toTransaction(answer: unknown, hash: Hash): Transaction | 'waiting' | undefined {
  if (answer === null) return undefined
  const { from, to, input, blockNumber, blockHash, ...known } = (answer ?? {}) as Partial<RpcTransaction>
  if (known.hash?.toLowerCase() !== hash || typeof from !== 'string' || typeof input !== 'string')
    throw new RpcFailure('body')
  if (!blockNumber || !blockHash) return 'waiting'
  if (!isQuantity(blockNumber)) throw new RpcFailure('body')
  return {
    from: from.toLowerCase() as Address,
    to: typeof to === 'string' ? (to.toLowerCase() as Address) : null,
    input,
    blockNumber: BigInt(blockNumber),
    blockHash: blockHash.toLowerCase() as Hash,
  }
}
