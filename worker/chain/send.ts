import type { Hex } from 'viem'
import { failed, unavailable } from './agree.ts'
import type { Endpoint } from './endpoint.ts'
import { RpcFailure } from './failure.ts'

/** As nodes say that they have the transaction, or another one in its place: nothing is wrong. */
const isThere = /already known|already imported|known transaction|nonce too low|nonce is too low/i

/**
 * Hands a signed transaction to every endpoint: one of them may keep it to itself. What those say that refuse it;
 * throws RPC_UNAVAILABLE if none takes it.
 */
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
