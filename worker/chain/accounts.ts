import { type Address, type Hex, isHex, numberToHex } from 'viem'
import type { Endpoint } from './endpoint.ts'
import { RpcFailure } from './failure.ts'

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

/** Result of a contract read as of block `at`; `data` is undefined when it reverts. */
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
