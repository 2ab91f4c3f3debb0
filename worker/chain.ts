import { type Address, createClient, type Hash, type Hex, http, numberToHex, pad } from 'viem'
import { RaffleError } from '../core/errors.ts'
import { type RpcLog, transferTopic } from '../core/payment.ts'

export type Header = { number: bigint; hash: Hash; timestamp: number }
export type Receipt = { status: 'success' | 'reverted'; blockNumber: bigint; blockHash: Hash; logs: RpcLog[] }

/** A mined transaction: who sent it, and its calldata. */
export type Transaction = { from: Address; input: Hex; blockNumber: bigint; blockHash: Hash }

/** Questions to the chain. Every answer may be stale or wrong in one endpoint, so none is a verdict by itself. */
export type Chain = {
  /** Newest final block. */
  finalized: () => Promise<Header>
  /** Newest block, which may still change. */
  latest: () => Promise<Header>
  /** Undefined for a height that this chain does not have yet. */
  header: (number: bigint) => Promise<Header | undefined>
  headers: (numbers: readonly bigint[]) => Promise<Header[]>
  /** Transfers of `token` to any of `wallets` in blocks `from` to `to`, both included. */
  transferLogs: (token: Address, wallets: readonly Address[], from: bigint, to: bigint) => Promise<RpcLog[]>
  /** Undefined means unknown to the endpoint that answered, never that there is no such transaction. */
  receipt: (hash: Hash) => Promise<Receipt | undefined>
  /** Headers that every configured endpoint has alike: RPC_DISAGREE else, RPC_UNAVAILABLE if one is silent. */
  agreedHeaders: (numbers: readonly bigint[]) => Promise<Header[]>
  /** A transaction that is in a block; undefined means unknown or still waiting. */
  transaction: (hash: Hash) => Promise<Transaction | undefined>
}

type RpcHeader = { number: Hex; hash: Hash; timestamp: Hex }
type RpcReceipt = { status: Hex; blockNumber: Hex; blockHash: Hash; logs: RpcLog[] }
type RpcTransaction = { from: Address; input: Hex; blockNumber: Hex | null; blockHash: Hash | null }
type Request = (args: { method: string; params: unknown[] }) => Promise<unknown>

/** Asks the endpoints in their order, the next one when one fails; each must be on `chainId`. */
export function connectChain(urls: readonly string[], chainId: number): Chain {
  const endpoints = urls.map((url) => connectEndpoint(url, chainId))

  async function ask<T>(method: string, params: unknown[]): Promise<T> {
    const failures: string[] = []
    for (const request of endpoints) {
      try {
        return (await request({ method, params })) as T
      } catch (error) {
        failures.push(error instanceof Error ? error.name : 'unknown')
      }
    }
    throw new RaffleError('RPC_UNAVAILABLE', 'The chain cannot be read at the moment.', { method, failures })
  }
  const getHeader = async (tag: Hex | 'finalized' | 'latest') => {
    const block = await ask<RpcHeader | null>('eth_getBlockByNumber', [tag, false])
    return block ? toHeader(block) : undefined
  }

  const toTransaction = (answer: RpcTransaction | null): Transaction | undefined =>
    answer?.blockNumber && answer.blockHash
      ? {
          from: answer.from.toLowerCase() as Address,
          input: answer.input,
          blockNumber: BigInt(answer.blockNumber),
          blockHash: answer.blockHash,
        }
      : undefined
  async function agreedHeader(number: bigint): Promise<Header> {
    const answers = await Promise.all(
      endpoints.map((request) =>
        request({ method: 'eth_getBlockByNumber', params: [numberToHex(number), false] }).catch(() => null),
      ),
    )
    const headers = (answers as (RpcHeader | null)[]).map((answer) => answer && toHeader(answer))
    const [first] = headers
    if (!first || headers.includes(null))
      throw new RaffleError('RPC_UNAVAILABLE', 'An endpoint does not have a block of the draw.', { number })
    if (headers.some((header) => header?.hash !== first.hash || header.timestamp !== first.timestamp))
      throw new RaffleError('RPC_DISAGREE', 'The endpoints do not agree on a block of the draw.', { number })
    return first
  }

  return {
    agreedHeaders: (numbers) => Promise.all(numbers.map(agreedHeader)),
    transaction: async (hash) =>
      toTransaction(await ask<RpcTransaction | null>('eth_getTransactionByHash', [hash])),
    finalized: async () => {
      const header = await getHeader('finalized')
      if (!header) throw new RaffleError('NOT_FINAL', 'The chain has no final block yet.')
      return header
    },
    latest: async () => {
      const header = await getHeader('latest')
      if (!header) throw new RaffleError('RPC_UNAVAILABLE', 'The chain has no blocks.')
      return header
    },
    header: (number) => getHeader(numberToHex(number)),
    headers: (numbers) =>
      Promise.all(
        numbers.map(async (number) => {
          const header = await getHeader(numberToHex(number))
          if (!header)
            throw new RaffleError('RPC_UNAVAILABLE', 'A block that must be there is missing.', { number })
          return header
        }),
      ),
    transferLogs: (token, wallets, from, to) =>
      ask<RpcLog[]>('eth_getLogs', [
        {
          address: token,
          topics: [transferTopic, null, wallets.map((wallet) => pad(wallet))],
          fromBlock: numberToHex(from),
          toBlock: numberToHex(to),
        },
      ]),
    receipt: async (hash) => {
      const receipt = await ask<RpcReceipt | null>('eth_getTransactionReceipt', [hash])
      return receipt
        ? {
            status: receipt.status === '0x1' ? 'success' : 'reverted',
            blockNumber: BigInt(receipt.blockNumber),
            blockHash: receipt.blockHash,
            logs: receipt.logs,
          }
        : undefined
    },
  }
}

const timeoutMs = 5_000

/** A request function of one endpoint that first makes sure, once, that it serves the right chain. */
function connectEndpoint(url: string, chainId: number): Request {
  const client = createClient({
    transport: http(url, { timeout: timeoutMs, retryCount: 1, batch: { wait: 0 } }),
  })
  const request = client.request as Request
  let checked: Promise<void> | undefined
  const check = async () => {
    const id = Number(await request({ method: 'eth_chainId', params: [] }))
    if (id !== chainId)
      throw new RaffleError('RPC_UNAVAILABLE', `An endpoint of RPC_URLS serves chain ${id}, not ${chainId}.`)
  }
  return async (args) => {
    checked ??= check()
    await checked.catch((error) => {
      checked = undefined
      throw error
    })
    return request(args)
  }
}

const toHeader = (block: RpcHeader): Header => ({
  number: BigInt(block.number),
  hash: block.hash,
  timestamp: Number(block.timestamp),
})
