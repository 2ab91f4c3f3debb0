import type { Address, Hash, Hex } from 'viem'
import type { ChainHealth } from '../../core/chain/chain-health.ts'
import { RaffleError } from '../../core/errors.ts'
import { type Clock as OwnClock, realClock } from '../../core/server/time.ts'
import {
  readBalances,
  readBooks,
  readCall,
  readCodes,
  readGasPrice,
  readNonces,
  readTokenBalances,
  type TokenQuestion,
} from './accounts.ts'
import { agree, agreeAll, askAll, askUntil, failed, unavailable, witnesses } from './agree.ts'
import { blockPrint, blocksPrint, readBlock, readBlocks } from './blocks.ts'
import { type Clock, type Head, watchClock } from './clock.ts'
import { type CountedHealth, connectEndpoint, type Endpoint } from './endpoint.ts'
import { watchFinality } from './finality.ts'
import { openHeaders } from './headers.ts'
import type { Watch } from './logs.ts'
import { openLookupLimit } from './lookup-limit.ts'
import { type Range, type Reading, readBlockProven, readByOne, readRange } from './range.ts'
import {
  confirmReceipts,
  type Lookup,
  lookUp,
  type PickLogs,
  readReceipts,
  receiptPrint,
} from './receipts.ts'
import { broadcast } from './send.ts'
import { type OnAlarm, openSeats, type Seat } from './set-aside.ts'
import { type Block, type Header, type MinedHeader, type Receipt, toHeader, toMinedHeader } from './shapes.ts'
import { findStateBlock, type StateBlock } from './state-block.ts'
import { isFalse, readTransaction, type Transaction, transactionPrint } from './transactions.ts'

export type { Clock, Head } from './clock.ts'
export type { Lookup } from './receipts.ts'
export type { Header, MinedHeader, Receipt } from './shapes.ts'
export type { StateBlock } from './state-block.ts'
export type { Transaction } from './transactions.ts'

/** With the time of the final block, in seconds, and counts for the metrics. */
export type CountedChainHealth = Omit<ChainHealth, 'endpoints'> & {
  finalTime: number | null
  endpoints: CountedHealth[]
}

/**
 * Reads of the chain. If two or more endpoints are configured, headers and ranges need the same answer from
 * two: RPC_DISAGREE if no two are alike, RPC_UNAVAILABLE if too few answer, so with one of two down the product
 * waits. Both errors are temporary, and nothing has changed by then. Of three or more the one that differs from
 * two is set aside: for ten minutes it is not asked at all.
 */
export type Chain = {
  /** Newest final block. */
  finalized: () => Promise<Header>
  /**
   * The second newest of the endpoints' newest blocks, so that two have come so far. It may still change; its time is
   * bounded by the clock.
   */
  latest: () => Promise<Head>
  /** Undefined for a height that this chain does not have yet. */
  header: (number: bigint) => Promise<Header | undefined>
  /** In the order given; every one must exist. */
  headers: (numbers: readonly bigint[]) => Promise<Header[]>
  /** Headers for which every endpoint was asked that is not set aside: two at least, and no fewer than differ. */
  agreedHeaders: (numbers: readonly bigint[]) => Promise<MinedHeader[]>
  /** Transfers in final blocks from `from` up to `end`, where one step ends, at most at `to`. */
  transfers: (watch: Watch, range: Range) => Promise<Reading>
  /**
   * The same in final blocks `from` to `to`, told by one endpoint after the other, the last one first, as far as the caller
   * reads on.
   */
  readAgain: (watch: Watch, range: { from: bigint; to: bigint }) => AsyncGenerator<SecondReading>
  /** One final block, as its receipts prove it whose hash two tell; see `readProven`. */
  proven: (watch: Watch, number: bigint) => Promise<Reading>
  /**
   * Status of transactions, in the order given; see `Lookup`. `known` ones were seen on chain before. `pick`: the logs
   * that are kept, by default all.
   */
  lookUp: (hashes: readonly Hash[], known: ReadonlySet<Hash>, pick?: PickLogs) => Promise<Lookup[]>
  /** The given receipts of final blocks that endpoints confirm, with the same `pick`; see `confirmReceipts`. */
  confirm: (told: ReadonlyMap<Hash, Receipt>, pick?: PickLogs) => Promise<Set<Hash>>
  /** Undefined means unknown to the endpoints that answered, never that there is no such transaction. */
  receipt: (hash: Hash) => Promise<Receipt | undefined>
  /** As two endpoints have it, or the only one; undefined where no two tell the same. */
  agreedReceipt: (hash: Hash) => Promise<Receipt | undefined>
  /** True when any endpoint has the transaction, even while it waits for a block. */
  isWaiting: (hash: Hash) => Promise<boolean>
  /** A transaction that two have in a block; undefined means unknown or still waiting. */
  transaction: (hash: Hash) => Promise<Transaction | undefined>
  /** Where nonces, codes and calls are asked: this final block, or one near the head; see `findStateBlock`. */
  stateBlock: (final: Header) => Promise<StateBlock>
  /** Nonce of each wallet at this block, in the order given. */
  nonces: (wallets: readonly Address[], at: bigint) => Promise<number[]>
  /** Code at each address as of this block, `0x` for none. */
  codes: (addresses: readonly Address[], at: bigint) => Promise<Hex[]>
  /** Books of the register in which this wallet was active up to this block, as far as any endpoint tells: a hint. */
  booksOf: (wallet: Address, at: bigint) => Promise<Hex[]>
  /** Balance of each address in wei as of this block. */
  balances: (addresses: readonly Address[], at: bigint) => Promise<bigint[]>
  /**
   * What each wallet holds of the token in the block of this hash, in the order given. Throws HISTORY_MISSING where the
   * endpoints have no state of it any more.
   */
  tokenBalances: (question: TokenQuestion) => Promise<bigint[]>
  /** The lowest price, in wei, at which an endpoint takes a transaction now; a hint, nothing is decided by it. */
  gasPrice: () => Promise<bigint>
  /** Hands a signed transaction to every endpoint. Returns what those say that refuse it; throws RPC_UNAVAILABLE if all do. */
  send: (signed: Hex) => Promise<string[]>
  /**
   * Result of a contract read as of this block; undefined when it reverts or needs more gas than a check of a
   * signature takes. Endpoints that differ are never set aside for it.
   */
  call: (call: { to: Address; data: Hex }, at: bigint) => Promise<Hex | undefined>
  health: () => CountedChainHealth
}

/** With `now` and `sleep` of the clock by which rests, deadlines and limits go: real time by default. */
export type ChainOptions = Partial<OwnClock> & {
  /** What block times are bounded by; left out where the chain's own time is the clock. */
  clock?: Clock
  onAlarm?: OnAlarm
  /** RPC_UNSAFE, which is only reported. */
  isUnsafe?: boolean
}

/** Talks to the endpoints in the order of RPC_URLS; each must be on `chainId`. */
export function connectChain(
  urls: readonly string[],
  chainId: number,
  {
    now = realClock.now,
    sleep = realClock.sleep,
    clock,
    onAlarm = () => undefined,
    isUnsafe = false,
  }: ChainOptions = {},
): Chain {
  const seats = openSeats(
    urls.map((url) => new URL(url).host),
    now,
    onAlarm,
  )
  const endpoints = urls.map((url, index) =>
    connectEndpoint(url, chainId, seats[index] as Seat, { now, sleep }),
  )
  const trusted = () => endpoints.filter(({ seat }) => !seat.isAside())
  const finality = watchFinality(trusted, now)
  const clockWatch = watchClock(clock, now, onAlarm)
  const lookupLimit = openLookupLimit(now)
  const headers = openHeaders(finality.agreed, now, onAlarm)

  async function readLatest(): Promise<Header> {
    const asked = trusted()
    const heads = await askAll(asked, (endpoint) => readBlock(endpoint, 'latest'))
    const sorted = heads.toSorted((a, b) => b.timestamp - a.timestamp || Number(b.number - a.number))
    return toHeader(present(sorted[witnesses(asked) - 1]))
  }

  return {
    finalized: finality.read,
    latest: () => clockWatch.bound(readLatest()),
    header: async (number) => {
      const block = await agree(trusted(), (endpoint) => readBlock(endpoint, number), blockPrint)
      return block && toHeader(block)
    },
    headers: async (numbers) => {
      const blocks = await agree(trusted(), (endpoint) => readBlocks(endpoint, numbers), blocksPrint)
      return present(blocks).map(toHeader)
    },
    agreedHeaders: async (numbers) => {
      const read = (endpoint: Endpoint) => readBlocks(endpoint, numbers)
      const print = (blocks: readonly Block[]) =>
        [blocksPrint(blocks), ...blocks.map(({ told }) => `${told.miner}`.toLowerCase())].join()
      return present(await agreeAll(trusted(), read, print)).map(toMinedHeader)
    },
    transfers: (watch, range) => readRange(trusted(), headers, watch, range),
    readAgain: (watch, range) => readAgain(trusted(), watch, range),
    proven: (watch, number) => readBlockProven(trusted(), watch, number),
    lookUp: async (hashes, known, pick) => {
      const lookups = await lookUp(trusted(), lookupLimit, hashes, known, pick)
      if (finality.isAdvancing()) return lookups
      return lookups.map((lookup) => (lookup.state === 'unknown' ? { ...lookup, everywhere: false } : lookup))
    },
    confirm: (told, pick) => confirmReceipts(trusted(), told, pick),
    receipt: async (hash) => {
      const read = async (endpoint: Endpoint) => (await readReceipts(endpoint, [hash]))[0]
      const found = await askUntil(trusted(), 1, read)
      return found?.[0]
    },
    agreedReceipt: async (hash) => {
      const asked = trusted()
      const told = await askAll(asked, async (endpoint) => (await readReceipts(endpoint, [hash]))[0] ?? null)
      const alike = Map.groupBy(told, (receipt) => receipt && receiptPrint(receipt))
      alike.delete(null)
      return [...alike.values()].find(({ length }) => length >= witnesses(asked))?.[0] ?? undefined
    },
    isWaiting: async (hash) => {
      const found = await askUntil(trusted(), 1, async (endpoint) => readTransaction(endpoint, hash))
      return found !== undefined
    },
    transaction: async (hash) => {
      const mined = async (endpoint: Endpoint) => {
        const found = await readTransaction(endpoint, hash)
        return found === 'waiting' ? undefined : found
      }
      const final = finality.newest()?.number ?? 0n
      return agree(trusted(), mined, transactionPrint, (odd, decided) => isFalse(odd, decided, final))
    },
    stateBlock: (final) => findStateBlock(finality, readLatest, final),
    nonces: async (wallets, at) =>
      present(await agree(trusted(), (endpoint) => readNonces(endpoint, wallets, at), String)),
    codes: async (addresses, at) =>
      present(await agree(trusted(), (endpoint) => readCodes(endpoint, addresses, at), String)),
    booksOf: async (wallet, at) =>
      (await askUntil(trusted(), 1, (endpoint) => readBooks(endpoint, wallet, at)))?.flat() ?? [],
    balances: async (addresses, at) =>
      present(await agree(trusted(), (endpoint) => readBalances(endpoint, addresses, at), String)),
    tokenBalances: async (question) =>
      present(await agree(trusted(), (endpoint) => readTokenBalances(endpoint, question), String)),
    gasPrice: async () =>
      present((await askAll(trusted(), readGasPrice)).sort((a, b) => (a < b ? -1 : 1))[0]),
    send: (signed) => broadcast(endpoints, signed),
    call: async (call, at) =>
      present(
        await agree(
          trusted(),
          (endpoint) => readCall(endpoint, call, at),
          (answer) => `${answer.data}`,
          // The contract may be a stranger's, and tell whom it answers.
          () => false,
        ),
      ).data,
    health: () => ({
      finalHeight: finality.newest()?.number.toString() ?? null,
      finalTime: finality.newest()?.timestamp ?? null,
      isStalled: !finality.isAdvancing(),
      skewSeconds: clockWatch.skewSeconds(),
      isUnsafe,
      areHeadersKnown: headers.areKnown(),
      endpoints: endpoints.map((endpoint) => endpoint.health()),
    }),
  }
}

/** What one endpoint tells by itself; `setAside` where that was shown not to be so. */
export type SecondReading = Pick<Endpoint, 'host'> & Pick<Seat, 'setAside'> & Pick<Reading, 'transfers'>

async function* readAgain(
  endpoints: readonly Endpoint[],
  watch: Watch,
  range: { from: bigint; to: bigint },
): AsyncGenerator<SecondReading> {
  const failures: Record<string, string> = {}
  let told = 0
  for (const endpoint of endpoints.toReversed()) {
    const reading = await readByOne(endpoint, watch, range, endpoints.length === 1).catch(
      (error: unknown) => {
        failures[endpoint.host] = failed(error)
        return undefined
      },
    )
    if (!reading) continue
    told++
    yield { host: endpoint.host, setAside: endpoint.seat.setAside, transfers: reading.transfers }
  }
  if (told === 0) throw unavailable(failures, told)
}

function present<T>(value: T | undefined): T {
  if (value === undefined)
    throw new RaffleError('RPC_UNAVAILABLE', 'A block that must be there is missing.', {})
  return value
}
