import { type Address, concat, type Hash, type Hex, isHex, numberToHex, pad } from 'viem'
import { saysForgotten } from '../../core/chain/first-block.ts'
import { register } from '../../core/chain/register.ts'
import { paidTopic } from '../../core/chain/register-log.ts'
import { anchoredTopic } from '../../core/draw/anchor.ts'
import type { Endpoint } from './endpoint.ts'
import { RpcFailure } from './failure.ts'
import { toLogs } from './shapes.ts'

/** Nonce of each wallet at block `at`, in the order given. */
export async function readNonces(
  endpoint: Endpoint,
  wallets: readonly Address[],
  at: bigint,
): Promise<number[]> {
  const answers = await endpoint.askMany(
    wallets.map((wallet) => ({ method: 'eth_getTransactionCount', params: [wallet, numberToHex(at)] })),
  )
  return answers.map((answer) => {
    if (!isHex(answer) || answer.length > 14) throw new RpcFailure('body')
    return Number(answer)
  })
}

/** Balance of each address in wei as of block `at`, in the order given. */
export async function readBalances(
  endpoint: Endpoint,
  addresses: readonly Address[],
  at: bigint,
): Promise<bigint[]> {
  const answers = await endpoint.askMany(
    addresses.map((address) => ({ method: 'eth_getBalance', params: [address, numberToHex(at)] })),
  )
  return answers.map(toWei)
}

/** What each wallet holds of the token in the block of this hash, in the order given: no other block of its height will do. */
export async function readTokenBalances(
  endpoint: Endpoint,
  { token, wallets, blockHash }: TokenQuestion,
): Promise<bigint[]> {
  const calls = wallets.map((wallet) => ({
    method: 'eth_call',
    params: [{ to: token, data: concat([balanceOf, pad(wallet)]) }, { blockHash }],
  }))
  const answers = await endpoint.askMany(calls).catch((error: unknown) => {
    if (error instanceof RpcFailure && error.kind === 'rpc' && saysStateGone(error))
      throw new RpcFailure('pruned')
    throw error
  })
  return answers.map((answer) => {
    if (!isHex(answer) || answer.length !== 66) throw new RpcFailure('body')
    return BigInt(answer)
  })
}

export type TokenQuestion = { token: Address; wallets: readonly Address[]; blockHash: Hash }
/** The first four bytes of keccak256("balanceOf(address)"). */
const balanceOf: Hex = '0x70a08231'

const saysStateGone = (failure: RpcFailure): boolean =>
  failure.says(saysForgotten) ||
  failure.says(/state (is |at block \S+ is )?not available|missing state|no state/i)

export const readGasPrice = async (endpoint: Endpoint): Promise<bigint> =>
  toWei(await endpoint.ask('eth_gasPrice', []))

function toWei(answer: unknown): bigint {
  if (!isHex(answer) || answer.length < 3 || answer.length > 66) throw new RpcFailure('body')
  return BigInt(answer)
}

/** Code at each address as of block `at`, in the order given; `0x` if there is none. */
export async function readCodes(
  endpoint: Endpoint,
  addresses: readonly Address[],
  at: bigint,
): Promise<Hex[]> {
  const answers = await endpoint.askMany(
    addresses.map((address) => ({ method: 'eth_getCode', params: [address, numberToHex(at)] })),
  )
  return answers.map((answer) => {
    if (!isHex(answer)) throw new RpcFailure('body')
    return answer
  })
}

/**
 * As much as a check of a signature takes. Named in the call, as nodes have caps of their own, by which a contract
 * could tell them apart; and it bounds what a contract of a stranger costs an endpoint.
 */
const callGas = 3_000_000
/** How nodes say that the contract failed, not they. */
const ofContract =
  /revert|out of gas|gas uint64 overflow|invalid (opcode|jump)|opcode .*not (defined|activated)|stack (underflow|overflow|limit)|write protection|out of bounds|outofgas|memoryoog|invalidjump|invalidfeopcode/i

/**
 * Result of a contract read as of block `at`; `data` is undefined when the contract fails, or answers more than any
 * signature check does.
 */
export async function readCall(
  endpoint: Endpoint,
  call: { to: Address; data: Hex },
  at: bigint,
): Promise<{ data: Hex | undefined }> {
  try {
    const answer = await endpoint.ask('eth_call', [{ ...call, gas: numberToHex(callGas) }, numberToHex(at)])
    if (!isHex(answer)) throw new RpcFailure('body')
    return { data: answer }
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
