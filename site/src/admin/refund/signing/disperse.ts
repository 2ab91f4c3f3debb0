import type { Address, Hex } from 'viem'
import type { Eip1193 } from '../../../wallet/eip1193.ts'
import { encodeApprove, encodeDisperse } from './encode.ts'
import type { Outcome } from './types.ts'
import { readAllowance, sendTransaction, waitForReceipt } from './wallet.ts'

/** A contract that pays many recipients in one call, each by a transferFrom of the operator's wallet. */
type Payment = { to: Address; units: bigint }
type Request = {
  wallet: Address
  token: Address
  contract: Address
  nonce: number
  rows: readonly Payment[]
  everyMs?: number
}
/** The gas limit of a call, below the chain's own limit for a transaction. */
const maxCallGas = 12_000_000n

export type DisperseOutcome = Outcome | { kind: 'too-large' }

/**
 * Two signatures: an allowance of exactly the sum, and the call that uses all of it. The call is sent after
 * the allowance is on chain. If the call is rejected, the allowance may be left: `readAllowance` reads it,
 * `approve` with 0 revokes it.
 */
export async function sendDisperse(provider: Eip1193, request: Request): Promise<DisperseOutcome> {
  const { wallet, token, contract, rows, everyMs } = request
  const sum = rows.reduce((total, { units }) => total + units, 0n)
  let { nonce } = request
  if ((await readAllowance(provider, token, wallet, contract)) !== sum) {
    const approved = await approve(provider, { ...request, units: sum })
    if (approved.kind !== 'sent') return approved
    const receipt = await waitForReceipt(provider, approved.hash, everyMs === undefined ? {} : { everyMs })
    if (!receipt?.isSuccess) return { kind: 'unknown', error: new Error('the allowance is not on chain') }
    nonce++
  }
  const call = { from: wallet, to: contract, data: encodeDisperse(token, rows) }
  const gas = await estimateGas(provider, call)
  if (gas === undefined || gas > maxCallGas) return { kind: 'too-large' }
  return sendTransaction(provider, { ...call, gas: withMargin(gas), nonce })
}

/** Sets the contract's allowance; 0 revokes it. */
export const approve = (
  provider: Eip1193,
  { wallet, token, contract, nonce, units }: Omit<Request, 'rows'> & { units: bigint },
): Promise<Outcome> =>
  sendTransaction(provider, {
    ...{ from: wallet, to: token, data: encodeApprove(contract, units), gas: '0x15f90' },
    nonce,
  })

/** Undefined when the call would fail. */
async function estimateGas(
  provider: Eip1193,
  call: { from: Address; to: Address; data: Hex },
): Promise<bigint | undefined> {
  const answer = await provider.request({ method: 'eth_estimateGas', params: [call] }).catch(() => undefined)
  return typeof answer === 'string' ? BigInt(answer) : undefined
}

function withMargin(gas: bigint): Hex {
  const wanted = (gas * 11n) / 10n
  return `0x${(wanted < maxCallGas ? wanted : maxCallGas).toString(16)}`
}
