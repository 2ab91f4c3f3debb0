import { type Address, concat, type Hash, type Hex, isHex, numberToHex, pad } from 'viem'
import { saysForgotten } from '../../core/chain/first-block.ts'
import { register } from '../../core/chain/register.ts'
import { paidTopic } from '../../core/chain/register-log.ts'
import { anchoredTopic } from '../../core/draw/anchor.ts'
import { limit } from '../../core/server/concurrency.ts'
import { agreeEach, askUntil, failed, unavailable } from './agree.ts'
import type { Endpoint } from './endpoint.ts'
import { bad, fieldsOf, lower, readBlocks } from './headers.ts'
import { toLogs } from './logs.ts'
import { type PickLogs, type Receipt, readReceipts, receiptPrint } from './receipts.ts'
import { isFailure, RpcFailure } from './transport.ts'

/** What each address has at block `at`, in the order given. */
const readEach =
  <T>(method: string, read: (answer: unknown) => T) =>
  (endpoint: Endpoint, addresses: readonly Address[], at: bigint): Promise<T[]> =>
    endpoint.askMany(
      addresses.map((address) => ({ method, params: [address, numberToHex(at)] })),
      { read },
    )

export const readNonces = readEach('eth_getTransactionCount', (answer) => Number(toHex(answer, 3, 14)))
export const readBalances = readEach('eth_getBalance', (answer) => toWei(answer))
/** `0x` where there is no code. */
export const readCodes = readEach('eth_getCode', (answer) => toHex(answer))

export type TokenQuestion = { token: Address; wallets: readonly Address[]; blockHash: Hash }
/** The first four bytes of keccak256("balanceOf(address)"). */
const balanceOf: Hex = '0x70a08231'

/** What each wallet holds of the token in the block of this hash, in the order given: no other block of its height will do. */
export function readTokenBalances(
  endpoint: Endpoint,
  { token, wallets, blockHash }: TokenQuestion,
): Promise<bigint[]> {
  const calls = wallets.map((wallet) => ({
    method: 'eth_call',
    params: [{ to: token, data: concat([balanceOf, pad(wallet)]) }, { blockHash }],
  }))
  const read = (answer: unknown) => BigInt(toHex(answer, 66, 66))
  return endpoint.askMany(calls, { read }).catch((error: unknown) => {
    throw isFailure(error, 'rpc') && saysStateGone(error) ? new RpcFailure('pruned') : error
  })
}

const saysStateGone = (failure: RpcFailure): boolean =>
  failure.says(saysForgotten) ||
  failure.says(/state (is |at block \S+ is )?not available|missing state|no state/i)

/** True when this endpoint has it, even while it waits for a block; else undefined. */
export async function hasTransaction(endpoint: Endpoint, hash: Hash): Promise<true | undefined> {
  const answer = await endpoint.ask('eth_getTransactionByHash', [hash])
  if (answer === null) return undefined
  if (lower(`${fieldsOf(answer).hash}`) !== lower(hash)) throw bad()
  return true
}

export const readGasPrice = async (endpoint: Endpoint): Promise<bigint> =>
  toWei(await endpoint.ask('eth_gasPrice', []))

const toWei = (answer: unknown): bigint => BigInt(toHex(answer, 3, 66))

function toHex(answer: unknown, shortest = 2, longest = Number.POSITIVE_INFINITY): Hex {
  if (!isHex(answer) || answer.length < shortest || answer.length > longest) throw bad()
  return answer
}

/** As much as a check of a signature takes. Named in the call, as nodes have caps of their own, by which a
 * contract could tell them apart; and it bounds what a contract of a stranger costs an endpoint. */
const callGas = 3_000_000
/** How nodes say that the contract failed, not they. */
const ofContract =
  /revert|out of gas|gas uint64 overflow|invalid (opcode|jump)|opcode .*not (defined|activated)|stack (underflow|overflow|limit)|write protection|out of bounds|outofgas|memoryoog|invalidjump|invalidfeopcode/i

/** Result of a contract read as of block `at`; `data` is undefined when the contract fails, or answers more
 * than any signature check does. */
export async function readCall(
  endpoint: Endpoint,
  call: { to: Address; data: Hex },
  at: bigint,
): Promise<{ data: Hex | undefined }> {
  try {
    const answer = await endpoint.ask('eth_call', [{ ...call, gas: numberToHex(callGas) }, numberToHex(at)])
    return { data: toHex(answer) }
  } catch (error) {
    if (!(error instanceof RpcFailure)) throw error
    if (error.code === 3 || error.kind === 'too-large' || error.says(ofContract)) return { data: undefined }
    throw error
  }
}

/** Blocks for nodes that tell no logs of a whole chain: some hours. */
const lastBlocks = 50_000n

/** Books in which this wallet has anchored or paid, up to block `at`: all of the chain, or the last blocks where that is refused. */
export async function readBooks(endpoint: Endpoint, wallet: Address, at: bigint): Promise<Hex[]> {
  // Who never sent a transaction is in no book.
  if ((await readNonces(endpoint, [wallet], at))[0] === 0) return []
  const sender = pad(wallet)
  const topics = [
    [anchoredTopic, sender],
    [paidTopic, null, null, sender],
  ]
  const read = async (from: bigint): Promise<Hex[]> => {
    const range = { address: register.address, fromBlock: numberToHex(from), toBlock: numberToHex(at) }
    const calls = topics.map((one) => ({ method: 'eth_getLogs', params: [{ ...range, topics: one }] }))
    const logs = (await endpoint.askMany(calls)).flatMap(toLogs)
    return logs.map(({ topics: [kind, first, second] }) => (kind === paidTopic ? first : second) as Hex)
  }
  return read(0n).catch((error: unknown) => {
    if (!(error instanceof RpcFailure)) throw error
    return read(at > lastBlocks ? at - lastBlocks : 0n)
  })
}

/** As nodes say that they have the transaction, or another one in its place: nothing is wrong. */
const isThere = /already known|already imported|known transaction|nonce too low|nonce is too low/i

/** Hands a signed transaction to every endpoint: one of them may keep it to itself. What those say that
 * refuse it; throws RPC_UNAVAILABLE if none takes it. */
export async function broadcast(endpoints: readonly Endpoint[], signed: Hex): Promise<string[]> {
  const outcomes = await Promise.allSettled(
    endpoints.map((endpoint) => endpoint.ask('eth_sendRawTransaction', [signed])),
  )
  const refusals: Record<string, string> = {}
  outcomes.forEach((outcome, index) => {
    if (outcome.status === 'fulfilled') return
    const { reason } = outcome
    if (reason instanceof RpcFailure && reason.says(isThere)) return
    refusals[(endpoints[index] as Endpoint).host] = failed(reason)
  })
  const texts = Object.entries(refusals).map(([host, reason]) => `${host}: ${reason}`)
  if (texts.length === endpoints.length) throw unavailable(refusals, 0)
  return texts
}

/** As two have it, or the only one, in the block that stands at its height, with the logs that `pick` takes;
 * else undefined. Throws RPC_UNAVAILABLE, with `isKnown` also where none is had. */
export async function readAgreed(
  endpoints: readonly Endpoint[],
  hashes: readonly Hash[],
  { pick, final, isKnown = false }: { pick?: PickLogs | undefined; final: bigint; isKnown?: boolean },
): Promise<(Receipt | undefined)[]> {
  if (hashes.length === 0) return []
  const read = async (endpoint: Endpoint) => {
    const receipts = await readReceipts(endpoint, hashes, pick)
    const numbers = new Set(receipts.flatMap((receipt) => receipt?.blockNumber ?? []))
    if (isKnown && numbers.size === 0) throw new RpcFailure('behind')
    const canonical = new Set((await readBlocks(endpoint, [...numbers])).map(({ hash }) => hash))
    return receipts.map((receipt) => receipt && { receipt, isHere: canonical.has(receipt.blockHash) })
  }
  type Told = { receipt: Receipt; isHere: boolean }
  const print = ({ receipt, isHere }: Told) => (isHere ? receiptPrint(receipt) : 'not in the chain')
  const isLie = (...told: Told[]) => told.every(({ receipt }) => receipt.blockNumber <= final)
  const agreed = await agreeEach(endpoints, hashes.length, read, print, isLie)
  return agreed.map((one) => (one?.isHere ? one.receipt : undefined))
}

/** `found` by one endpoint; `unknown` never means that there is none; `everywhere`: every endpoint answered and
 * none had it. `deferred`: not looked up, retry after that time. */
export type Lookup =
  | { state: 'found' }
  | { state: 'unknown'; everywhere: boolean }
  | { state: 'deferred'; retryInMs: number }

const unknownPerSecond = 20
const unknownAtOnce = 100

/** At the first endpoint that has them. Hashes not in `known` may be invented: what no endpoint knows is
 * charged to a limit of 20 a second, and in debt none is looked up. Throws RPC_UNAVAILABLE. */
export function openLookUp(now: () => number) {
  let paidUntil = now()
  const oneAtATime = limit(1)
  return async (
    endpoints: readonly Endpoint[],
    hashes: readonly Hash[],
    known: ReadonlySet<Hash>,
  ): Promise<Lookup[]> => {
    const answers = new Map<Hash, Lookup>()
    const ask = (asked: readonly Hash[]) => askInTurn(endpoints, asked, answers)
    await ask(hashes.filter((hash) => known.has(hash)))
    const strangers = hashes.filter((hash) => !known.has(hash))
    if (strangers.length > 0)
      await oneAtATime(async () => {
        const asked = strangers.slice(0, now() >= paidUntil ? unknownAtOnce : 0)
        await ask(asked)
        const unknown = asked.filter((hash) => answers.get(hash)?.state === 'unknown').length
        paidUntil = Math.max(now(), paidUntil) + (unknown * 1000) / unknownPerSecond
      })
    const debtMs = Math.max(1_000, paidUntil - now())
    // Spread by the hash, so that not all waiting claims come at once.
    const spread = (hash: Hash) => 1 + Number.parseInt(hash.slice(2, 6), 16) / 65_536
    return hashes.map(
      (hash) => answers.get(hash) ?? { state: 'deferred', retryInMs: Math.round(debtMs * spread(hash)) },
    )
  }
}

/** Each endpoint gets only the hashes that those before it did not know. */
async function askInTurn(
  endpoints: readonly Endpoint[],
  hashes: readonly Hash[],
  answers: Map<Hash, Lookup>,
): Promise<void> {
  let missing = [...hashes]
  let answered = 0
  const askOne = async (endpoint: Endpoint): Promise<true | undefined> => {
    for (const receipt of await readReceipts(endpoint, missing, () => []))
      if (receipt) answers.set(receipt.transactionHash, { state: 'found' })
    missing = missing.filter((hash) => !answers.has(hash))
    answered++
    return missing.length === 0 ? true : undefined
  }
  if (missing.length > 0)
    await askUntil(endpoints, 1, askOne).catch((error) => {
      if (answered === 0) throw error
    })
  for (const hash of missing)
    answers.set(hash, { state: 'unknown', everywhere: answered === endpoints.length })
}
