import type { Address, Hash, Hex } from 'viem'
import { RaffleError } from '../../core/errors.ts'
import { readCall, readCodes, readNonces } from './accounts.ts'
import { agree, askUntil } from './agree.ts'
import { readBlock, readBlocks } from './blocks.ts'
import { connectEndpoint, type EndpointHealth } from './endpoint.ts'
import { watchFinality } from './finality.ts'
import type { Watch } from './logs.ts'
import { type Reading, readStep } from './range.ts'
import { confirmReceipts, type Lookup, lookUp, readReceipts } from './receipts.ts'
import { type Block, type Header, type Receipt, toHeader } from './shapes.ts'
import { openSlowQueue } from './slow-queue.ts'
import { readTransaction, readTransactions, type Transaction } from './transactions.ts'

export type { EndpointHealth } from './endpoint.ts'
export type { Lookup } from './receipts.ts'
export type { Header, Receipt } from './shapes.ts'
export type { Transaction } from './transactions.ts'

export type ChainHealth = {
  finalHeight: string | null
  /** Time of that block, in seconds. */
  finalTime: number | null
  isStalled: boolean
  endpoints: EndpointHealth[]
}

/**
 * Reads of the chain. If two or more endpoints are configured, headers and ranges need the same answer from
 * two: RPC_DISAGREE if they differ, RPC_UNAVAILABLE if too few answer, so with one of two down the product
 * waits. Both errors are temporary, and nothing has changed by then.
 */
export type Chain = {
  /** Newest final block. */
  finalized: () => Promise<Header>
  /** Newest block, which may still change, from the first endpoint that answers. */
  latest: () => Promise<Header>
  /** Undefined for a height that this chain does not have yet. */
  header: (number: bigint) => Promise<Header | undefined>
  /** In the order given; every one must exist. */
  headers: (numbers: readonly bigint[]) => Promise<Header[]>
  /** Headers equal on every configured endpoint; else RPC_DISAGREE, or RPC_UNAVAILABLE if one is silent. */
  agreedHeaders: (numbers: readonly bigint[]) => Promise<Header[]>
  /** Transfers in final blocks from `from` up to `end`, where one step ends, at most at `to`. */
  transfers: (watch: Watch, range: { from: bigint; to: bigint; head: bigint }) => Promise<Reading>
  /** Status of transactions, in the order given; see `Lookup`. `known` ones were seen on chain before. */
  lookUp: (hashes: readonly Hash[], known: ReadonlySet<Hash>) => Promise<Lookup[]>
  /** The given receipts of final blocks that endpoints confirm; see `confirmReceipts`. */
  confirm: (told: ReadonlyMap<Hash, Receipt>) => Promise<Set<Hash>>
  /** Undefined means unknown to the endpoints that answered, never that there is no such transaction. */
  receipt: (hash: Hash) => Promise<Receipt | undefined>
  /** True when any endpoint has the transaction, even while it waits for a block. */
  isWaiting: (hash: Hash) => Promise<boolean>
  /** A transaction that is in a block; undefined means unknown or still waiting. */
  transaction: (hash: Hash) => Promise<Transaction | undefined>
  /** Transactions that are in blocks, in the order given, from the first endpoint that has all of them. */
  transactions: (hashes: readonly Hash[]) => Promise<Transaction[]>
  /** Nonce of each wallet at this final block, in the order given. */
  nonces: (wallets: readonly Address[], at: bigint) => Promise<number[]>
  /** Code at each address as of this final block, `0x` for none. */
  codes: (addresses: readonly Address[], at: bigint) => Promise<Hex[]>
  /** Result of a contract read as of this final block; undefined when it reverts. */
  call: (call: { to: Address; data: Hex }, at: bigint) => Promise<Hex | undefined>
  health: () => ChainHealth
}

/** Talks to the endpoints in the order of RPC_URLS; each must be on `chainId`. `now` is for tests. */
export function connectChain(urls: readonly string[], chainId: number, now?: () => number): Chain {
  const endpoints = urls.map((url) => connectEndpoint(url, chainId))
  const finality = watchFinality(endpoints, now)
  const lane = openSlowQueue(now)
  const sameBlocks = (blocks: readonly Block[]) => blocks.map((b) => `${b.hash} ${b.timestamp}`).join('\n')

  return {
    finalized: finality.read,
    latest: async () => {
      const heads = await askUntil(endpoints, 1, (endpoint) => readBlock(endpoint, 'latest'))
      return toHeader(present(heads?.[0]))
    },
    header: async (number) => {
      const block = await agree(
        endpoints,
        (endpoint) => readBlock(endpoint, number),
        (b) => sameBlocks([b]),
      )
      return block && toHeader(block)
    },
    headers: async (numbers) => {
      const blocks = await agree(endpoints, (endpoint) => readBlocks(endpoint, numbers), sameBlocks)
      return present(blocks).map(toHeader)
    },
    agreedHeaders: async (numbers) => {
      const views = await askUntil(endpoints, endpoints.length, (endpoint) => readBlocks(endpoint, numbers))
      const [first, ...others] = present(views)
      if (others.some((view) => sameBlocks(view) !== sameBlocks(present(first))))
        throw new RaffleError('RPC_DISAGREE', 'The endpoints do not agree on a block of the draw.')
      return present(first).map(toHeader)
    },
    transfers: (watch, range) => readStep(endpoints, watch, range),
    lookUp: async (hashes, known) => {
      const lookups = await lookUp(endpoints, lane, hashes, known)
      if (finality.isAdvancing()) return lookups
      return lookups.map((lookup) => (lookup.state === 'unknown' ? { ...lookup, everywhere: false } : lookup))
    },
    confirm: (told) => confirmReceipts(endpoints, told),
    receipt: async (hash) => {
      const found = await askUntil(
        endpoints,
        1,
        async (endpoint) => (await readReceipts(endpoint, [hash]))[0],
      )
      return found?.[0]
    },
    isWaiting: async (hash) => {
      const found = await askUntil(endpoints, 1, async (endpoint) => readTransaction(endpoint, hash))
      return found !== undefined
    },
    transaction: async (hash) => {
      const found = await askUntil(endpoints, 1, async (endpoint) => readTransaction(endpoint, hash))
      return found?.[0] === 'waiting' ? undefined : found?.[0]
    },
    transactions: async (hashes) => {
      const found = await askUntil(endpoints, 1, (endpoint) => readTransactions(endpoint, hashes))
      return present(found?.[0])
    },
    nonces: async (wallets, at) =>
      present(await agree(endpoints, (endpoint) => readNonces(endpoint, wallets, at), String)),
    codes: async (addresses, at) =>
      present(await agree(endpoints, (endpoint) => readCodes(endpoint, addresses, at), String)),
    call: async (call, at) =>
      present(
        await agree(
          endpoints,
          (endpoint) => readCall(endpoint, call, at),
          (answer) => `${answer.data}`,
        ),
      ).data,
    health: () => ({
      finalHeight: finality.newest()?.number.toString() ?? null,
      finalTime: finality.newest()?.timestamp ?? null,
      isStalled: !finality.isAdvancing(),
      endpoints: endpoints.map((endpoint) => endpoint.health()),
    }),
  }
}

function present<T>(value: T | undefined): T {
  if (value === undefined)
    throw new RaffleError('RPC_UNAVAILABLE', 'A block that must be there is missing.', {})
  return value
}
