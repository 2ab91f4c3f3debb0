import type { Hash } from 'viem'
import type { RpcLog } from '../../core/payment/payment.ts'
import { agreeEach, askUntil } from './agree.ts'
import { readBlocks } from './blocks.ts'
import type { Endpoint } from './endpoint.ts'
import { RpcFailure } from './failure.ts'
import type { LookupLimit } from './lookup-limit.ts'
import { type Receipt, type TransactionReceipt, toReceipt } from './shapes.ts'

/**
 * Status of a transaction. `unknown` alone never means "there is no such transaction"; `everywhere` says that
 * every configured endpoint answered and none had it. `deferred`: not looked up, retry after that time.
 */
export type Lookup =
  | { state: 'found'; receipt: Receipt }
  | { state: 'unknown'; everywhere: boolean }
  | { state: 'deferred'; retryInMs: number }

/** The logs of a transaction that its reader needs: a stranger can make one with tens of thousands. */
export type PickLogs = (logs: readonly RpcLog[]) => RpcLog[]
const allLogs: PickLogs = (logs) => [...logs]

/** A hundred common receipts; larger ones come in smaller batches. */
const batchMaxBytes = 2 * 1_048_576

/** In the order given; undefined if this endpoint has no receipt. */
export async function readReceipts(
  endpoint: Endpoint,
  hashes: readonly Hash[],
  pick: PickLogs = allLogs,
): Promise<(TransactionReceipt | undefined)[]> {
  return endpoint.askMany(
    hashes.map((hash) => ({ method: 'eth_getTransactionReceipt', params: [hash] })),
    {
      maxBytes: batchMaxBytes,
      read: (answer, { params: [hash] }) => {
        const receipt = toReceipt(answer, hash as Hash)
        return receipt && { ...receipt, logs: pick(receipt.logs) }
      },
    },
  )
}

/**
 * Receipts from the first endpoint that has them. Hashes that are not in `known` may be invented: those that
 * no endpoint knows are charged to the limit of lookups, and while it is in debt they are not looked up.
 * Throws RPC_UNAVAILABLE when no endpoint answers.
 */
export async function lookUp(
  endpoints: readonly Endpoint[],
  lookups: LookupLimit,
  hashes: readonly Hash[],
  known: ReadonlySet<Hash>,
  pick?: PickLogs,
): Promise<Lookup[]> {
  const answers = new Map<Hash, Lookup>()
  const isKnown = (hash: Hash) => known.has(hash)
  await askInTurn(endpoints, hashes.filter(isKnown), answers, pick)
  const strangers = hashes.filter((hash) => !known.has(hash))
  if (strangers.length > 0)
    await lookups.run(async (room) => {
      const asked = strangers.slice(0, room)
      await askInTurn(endpoints, asked, answers, pick)
      return asked.filter((hash) => answers.get(hash)?.state === 'unknown').length
    })
  return hashes.map((hash) => answers.get(hash) ?? { state: 'deferred', retryInMs: lookups.waitMs() })
}

/** Each endpoint gets only the hashes that those before it did not know. */
async function askInTurn(
  endpoints: readonly Endpoint[],
  hashes: readonly Hash[],
  answers: Map<Hash, Lookup>,
  pick: PickLogs | undefined,
): Promise<void> {
  let missing = [...hashes]
  let answered = 0
  const askOne = async (endpoint: Endpoint): Promise<true | undefined> => {
    for (const receipt of await readReceipts(endpoint, missing, pick))
      if (receipt) answers.set(receipt.transactionHash, { state: 'found', receipt })
    missing = missing.filter((hash) => !answers.has(hash))
    answered++
    return missing.length === 0 ? true : undefined
  }
  if (missing.length > 0)
    await askUntil(endpoints, 1, askOne).catch((error) => {
      if (answered === 0) throw error
    })
  const everywhere = answered === endpoints.length
  for (const hash of missing) answers.set(hash, { state: 'unknown', everywhere })
}

/**
 * The receipts that are confirmed: two endpoints, if two are configured, have the same status, place and logs, of
 * which `pick` takes those that were taken of the ones told, and the block is the one at its height. Throws RPC_UNAVAILABLE when too few answer.
 */
export async function confirmReceipts(
  endpoints: readonly Endpoint[],
  told: ReadonlyMap<Hash, Receipt>,
  pick?: PickLogs,
): Promise<Set<Hash>> {
  const hashes = [...told.keys()]
  if (hashes.length === 0) return new Set()
  const numbers = [...new Set([...told.values()].map((receipt) => receipt.blockNumber))]
  const views = await agreeEach(
    endpoints,
    hashes.length,
    async (endpoint) => {
      const [receipts, blocks] = await Promise.all([
        readReceipts(endpoint, hashes, pick),
        readBlocks(endpoint, numbers),
      ])
      const canonical = new Set<string>(blocks.map((block) => block.hash))
      return receipts.map((receipt) => {
        if (!receipt) throw new RpcFailure('behind')
        return canonical.has(receipt.blockHash) ? receiptPrint(receipt) : 'not in the chain'
      })
    },
    String,
  )
  return new Set(hashes.filter((hash, index) => views[index] === receiptPrint(told.get(hash) as Receipt)))
}

/** What two endpoints must say alike of a receipt. */
export const receiptPrint = ({ status, blockNumber, blockHash, transactionIndex, logs }: Receipt): string =>
  JSON.stringify([
    status,
    `${blockNumber}`,
    blockHash,
    transactionIndex,
    logs.map(({ address, topics, data, logIndex }) => [
      address.toLowerCase(),
      topics,
      data,
      Number(logIndex),
    ]),
  ])
