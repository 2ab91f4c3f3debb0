import { type Address, type Hex, isHex, numberToHex } from 'viem'
import type { Endpoint } from './endpoint.ts'
import { RpcFailure } from './failure.ts'

/** Transactions that each wallet has had up to block `at`, in the order asked. */
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

/** Code at each address as of block `at`, in the order asked; `0x` where there is none. */
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

/** What a contract answers to a read as of block `at`; `data` is undefined when it refuses. */
export async function readCall(
  endpoint: Endpoint,
  call: { to: Address; data: Hex },
  at: bigint,
): Promise<{ data: Hex | undefined }> {
  try {
    const answer = await endpoint.ask('eth_call', [call, numberToHex(at)])
    if (!isHex(answer)) throw new RpcFailure('body')
    return { data: answer }
  } catch (error) {
    if (error instanceof RpcFailure && (error.code === 3 || error.says(/revert/i))) return { data: undefined }
    throw error
  }
}
