import type { Address, Hash, Hex } from 'viem'
import type { ChainHealth } from '../../core/chain/chain-health.ts'
import { RaffleError } from '../../core/errors.ts'
import { type Clock as OwnClock, realClock } from '../../core/server/time.ts'
import {
  agree,
  askAll,
  askUntil,
  failed,
  type OnAlarm,
  openDifferences,
  openSeats,
  unavailable,
  witnesses,
} from './agree.ts'
import { type CountedHealth, connectEndpoint, type Endpoint } from './endpoint.ts'
import { type Clock, findStateBlock, watchClock, watchFinality } from './finality.ts'
import {
  type Block,
  blockPrint,
  blocksPrint,
  type Header,
  openHeaders,
  readBlock,
  readBlocks,
  toHeader,
  toMinedHeader,
} from './headers.ts'
import type { Watch } from './logs.ts'
import { type Range, readByOne, readProvenBlock, readRange } from './range.ts'
import { type PickLogs, type Receipt, readReceipts } from './receipts.ts'
import * as state from './state.ts'

/** With the time of the final block, in seconds, and counts for the metrics. */
export type CountedChainHealth = Omit<ChainHealth, 'endpoints'> & {
  finalTime: number | null
  endpoints: CountedHealth[]
}

/** With `now` and `sleep` of the clock by which rests, deadlines and limits go: real time by default. */
export type ChainOptions = Partial<OwnClock> & {
  /** What block times are bounded by; left out where the chain's own time is the clock. */
  clock?: Clock
  onAlarm?: OnAlarm
  /** RPC_UNSAFE, which is only reported. */
  isUnsafe?: boolean
}

export type Chain = ReturnType<typeof connectChain>

/** Of two or more endpoints two must say the same, else RPC_DISAGREE, or RPC_UNAVAILABLE if too few answer;
 * of three or more the odd one is set aside for ten minutes. */
export function connectChain(urls: readonly string[], chainId: number, options: ChainOptions = {}) {
  const { now, sleep, onAlarm, isUnsafe } = { ...defaults, ...options }
  const hosts = urls.map((url) => new URL(url).host)
  const seats = openSeats(hosts, now, onAlarm)
  const endpoints = seats.map((seat, index) =>
    connectEndpoint(`${urls[index]}`, chainId, seat, { now, sleep }),
  )
  const trusted = () => endpoints.filter(({ seat }) => !seat.isAside())
  const finality = watchFinality(trusted, now)
  const clock = watchClock(options.clock, now, onAlarm)
  const lookUp = state.openLookUp(now)
  const headers = openHeaders(finality.agreed, now, onAlarm)
  const read = openDifferences(endpoints, now, onAlarm)

  const final = () => finality.newest()?.number ?? 0n
  const finalized = read('final block', finality.read)

  /** What two tell alike, or the only one. */
  const alike = async <T>(ask: (endpoint: Endpoint) => Promise<T>): Promise<T> =>
    present(await agree(trusted(), ask, String))

  async function readLatest(): Promise<Header> {
    const asked = trusted()
    const heads = await askAll(asked, (endpoint) => readBlock(endpoint, 'latest'))
    const sorted = heads.toSorted((a, b) => b.timestamp - a.timestamp || Number(b.number - a.number))
    return toHeader(present(sorted[witnesses(asked) - 1]))
  }

  return {
    finalized,
    /** The second newest of the endpoints' newest blocks, so that two have come so far. It may still change;
     * its time is bounded by the clock. */
    latest: read('newest block', () => clock.bound(readLatest())),
    /** Undefined for a height that this chain does not have yet. */
    header: read('header', async (number: bigint) => {
      const block = await agree(trusted(), (endpoint) => readBlock(endpoint, number), blockPrint)
      return block && toHeader(block)
    }),
    /** In the order given; every one must exist. */
    headers: read('headers', async (numbers: readonly bigint[]) => {
      const blocks = await agree(trusted(), (endpoint) => readBlocks(endpoint, numbers), blocksPrint)
      return present(blocks).map(toHeader)
    }),
    /** Headers for which every endpoint was asked that is not set aside: two at least, and no fewer than differ. */
    agreedHeaders: read('headers of the draw', async (numbers: readonly bigint[]) => {
      const print = (blocks: readonly Block[]) =>
        [blocksPrint(blocks), ...blocks.map(({ told }) => `${told.miner}`.toLowerCase())].join()
      const blocks = await agree(trusted(), (endpoint) => readBlocks(endpoint, numbers), print, { all: true })
      return present(blocks).map(toMinedHeader)
    }),
    /** What is watched in final blocks from `from` up to `end`, where one step ends, at most at `to`. */
    transfers: read('logs and receipts', (watch: Watch, range: Range) =>
      readRange(trusted(), headers.read, watch, range),
    ),
    /** The same in final blocks `from` to `to`, told by one endpoint after the other, the last one first, as
     * far as the caller reads on; `setAside` where what it tells was shown not to be so. */
    readAgain: (watch: Watch, range: Pick<Range, 'from' | 'to'>) => readAgain(trusted(), watch, range),
    /** One final block, as its receipts prove it whose hash two tell; see `readProvenBlock`. */
    proven: read('receipts of a block', (watch: Watch, number: bigint) =>
      readProvenBlock(trusted(), watch, number),
    ),
    /** Status of transactions, in the order given; see `Lookup`. `known` ones were seen on chain before. */
    lookUp: async (hashes: readonly Hash[], known: ReadonlySet<Hash>) => {
      const lookups = await lookUp(trusted(), hashes, known)
      if (finality.isAdvancing()) return lookups
      return lookups.map((lookup) => (lookup.state === 'unknown' ? { ...lookup, everywhere: false } : lookup))
    },
    /** Receipts of transactions that an endpoint has, as two have them: undefined where no two tell the same.
     * `pick`: the logs that are kept, by default all. Throws RPC_UNAVAILABLE where too few have any. */
    confirm: read('receipts', (found: readonly Hash[], pick?: PickLogs) =>
      state.readAgreed(trusted(), found, { pick, final: final(), isKnown: true }),
    ),
    /** What each endpoint has that answers, two at least or the only one: null for nothing. */
    toldReceipts: async (hash: Hash): Promise<(Receipt | null)[]> =>
      askAll(trusted(), async (endpoint) => (await readReceipts(endpoint, [hash]))[0] ?? null),
    /** As two endpoints have it, or the only one; undefined where no two tell the same. */
    agreedReceipt: async (hash: Hash): Promise<Receipt | undefined> =>
      (await state.readAgreed(trusted(), [hash], { final: final() }))[0],
    /** True when any endpoint that answers has the transaction, even while it waits for a block. */
    isWaiting: async (hash: Hash) =>
      (
        await askAll(trusted(), async (endpoint) => (await state.hasTransaction(endpoint, hash)) ?? false)
      ).includes(true),
    /** Where codes and calls are asked; see `findStateBlock`. */
    stateBlock: () => findStateBlock(finality.isAdvancing, finalized, readLatest),
    /** Nonce of each wallet at this block, in the order given. */
    nonces: read('nonces', (wallets: readonly Address[], at: bigint) =>
      alike((endpoint) => state.readNonces(endpoint, wallets, at)),
    ),
    /** Code at each address as of this block, `0x` for none. */
    codes: read('codes', (addresses: readonly Address[], at: bigint) =>
      alike((endpoint) => state.readCodes(endpoint, addresses, at)),
    ),
    /** Books of the register in which this wallet was active up to this block, as far as any endpoint tells: a hint. */
    booksOf: async (wallet: Address, at: bigint): Promise<Hex[]> =>
      (await askUntil(trusted(), 1, (endpoint) => state.readBooks(endpoint, wallet, at)))?.flat() ?? [],
    /** Balance of each address in wei as of this block. */
    balances: read('balances', (addresses: readonly Address[], at: bigint) =>
      alike((endpoint) => state.readBalances(endpoint, addresses, at)),
    ),
    /** What each wallet holds of the token in the block of this hash, in the order given. Throws
     * HISTORY_MISSING where the endpoints have no state of it any more. */
    tokenBalances: read('balances of tokens', (question: state.TokenQuestion) =>
      alike((endpoint) => state.readTokenBalances(endpoint, question)),
    ),
    /** The lowest price, in wei, at which an endpoint takes a transaction now; a hint, nothing is decided by it. */
    gasPrice: async (): Promise<bigint> =>
      present((await askAll(trusted(), state.readGasPrice)).sort((a, b) => (a < b ? -1 : 1))[0]),
    /** Hands a signed transaction to every endpoint. Returns what those say that refuse it; throws RPC_UNAVAILABLE if all do. */
    send: (signed: Hex) => state.broadcast(endpoints, signed),
    /** Undefined when it reverts or needs more gas than a check of a signature. A stranger's contract may
     * tell whom it answers: nobody is set aside for it. */
    call: read('calls', async (call: { to: Address; data: Hex }, at: bigint): Promise<Hex | undefined> => {
      const ask = (endpoint: Endpoint) => state.readCall(endpoint, call, at)
      const print = ({ data }: { data: Hex | undefined }) => `${data}`
      return present(await agree(trusted(), ask, print, { isLie: () => false })).data
    }),
    health: (): CountedChainHealth => ({
      finalHeight: finality.newest()?.number.toString() ?? null,
      finalTime: finality.newest()?.timestamp ?? null,
      ...{ isStalled: !finality.isAdvancing(), skewSeconds: clock.skewSeconds(), isUnsafe },
      ...{ areHeadersKnown: headers.areKnown(), endpoints: endpoints.map((endpoint) => endpoint.health()) },
    }),
  }
}

const defaults = { ...realClock, onAlarm: () => undefined, isUnsafe: false }

/** What one endpoint tells by itself; `setAside` where that was shown not to be so. */
async function* readAgain(endpoints: readonly Endpoint[], watch: Watch, range: Pick<Range, 'from' | 'to'>) {
  const failures: Record<string, string> = {}
  let told = 0
  for (const endpoint of endpoints.toReversed()) {
    const { host, seat } = endpoint
    try {
      const { transfers } = await readByOne(endpoint, watch, range, endpoints.length === 1)
      told++
      yield { host, setAside: seat.setAside, transfers }
    } catch (error) {
      failures[host] = failed(error)
    }
  }
  if (told === 0) throw unavailable(failures, told)
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new RaffleError('RPC_UNAVAILABLE', { reason: 'chain' })
  return value
}
