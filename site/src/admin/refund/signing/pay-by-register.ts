import { register } from '../../../../../core/chain/register.ts'
import { encodeApprove, encodePayUpTo } from '../../../../../core/refund/register-calls.ts'
import type { RegisterOffer } from '../../../../../core/refund/safe-file.ts'
import type { Eip1193 } from '../../../wallet/eip1193.ts'
import { isSameAddress } from '../../../wallet/same-address.ts'
import { type BatchOutcome, sendCalls } from './batch.ts'
import type { Outcome, Terms } from './types.ts'
import { approve, callGas, readAllowance, sendTransaction, waitForBlock } from './wallet.ts'

/**
 * Beside the outcomes of the call, three without one, after which nothing can be paid. `not-allowed`: the allowance is
 * not on chain. `refused`: the chain would not take the call. `left`: the page has stopped waiting.
 */
export type RegisterOutcome = (Outcome | { kind: 'not-allowed' | 'refused' | 'left' }) & {
  signatures: number
}

type Request = {
  terms: Terms
  offer: RegisterOffer
  /** Units that the next calls will pay: the allowance that is asked for now serves them too. */
  later: bigint
  nonce: number
  everyMs: number
  /** The page has stopped waiting: nothing more is asked of the wallet. */
  isLeft: () => boolean
  /** Which signature is asked for. */
  onAsk: (what: 'allowance' | 'payment') => void
}

const unitsOf = ({ debtors }: RegisterOffer): bigint =>
  debtors.reduce((sum, { units }) => sum + BigInt(units), 0n)

/** Why this is not a call of the one register, in this token, for just these payments: it is not signed then. */
export function doubtOf(
  offer: RegisterOffer | null,
  { token }: Terms,
  rows: readonly { to: string; units: string }[],
): Error | undefined {
  if (!offer || !isSameAddress(offer.address, register.address))
    return new Error('another contract was named')
  if (!isSameAddress(offer.token, token)) return new Error('another token was named')
  const payments = offer.debtors.map(({ payee, units }) => ({ to: payee, units }))
  return sums(rows) === sums(payments) ? undefined : new Error('the call pays something else than its rows')
}

/** What each address gets, in a fixed order. */
function sums(payments: readonly { to: string; units: string }[]): string {
  const found = new Map<string, bigint>()
  for (const { to, units } of payments)
    found.set(to.toLowerCase(), (found.get(to.toLowerCase()) ?? 0n) + BigInt(units))
  return [...found]
    .map(([to, units]) => `${to} ${units}`)
    .sort()
    .join()
}

/** Allowance and call in one batch of the wallet, both or neither (EIP-5792). */
export const batchByRegister = (
  provider: Eip1193,
  terms: Terms,
  offer: RegisterOffer,
): Promise<BatchOutcome> =>
  sendCalls(provider, terms, [
    { to: terms.token, data: encodeApprove(register.address, unitsOf(offer)) },
    { to: register.address, data: payUpToData(offer) },
  ])

/**
 * Two signatures, or one where the allowance is still there from the call before: never more is allowed than this
 * call and the next ones pay. The call is asked for after the allowance is on chain.
 */
export async function payByRegister(provider: Eip1193, request: Request): Promise<RegisterOutcome> {
  const { terms, offer, later, everyMs, isLeft, onAsk } = request
  const { wallet, token } = terms
  const sum = unitsOf(offer)
  let { nonce } = request
  let signatures = 0
  const allowed = await readAllowance(provider, token, wallet, register.address)
  if (allowed < sum || allowed > sum + later) {
    onAsk('allowance')
    const approved = await approve(provider, {
      ...{ wallet, token, spender: register.address, units: sum + later, nonce },
    })
    if (approved.kind === 'rejected') return { ...approved, signatures }
    if (approved.kind === 'unknown') return { kind: 'not-allowed', signatures }
    signatures++
    nonce++
    await waitForBlock(provider, approved.hash, { everyMs })
    // Wallets let their user change the amount.
    if ((await readAllowance(provider, token, wallet, register.address)) < sum)
      return { kind: 'not-allowed', signatures }
  }
  if (isLeft()) return { kind: 'left', signatures }
  const call = { from: wallet, to: register.address, data: payUpToData(offer) }
  const gas = await callGas(provider, call)
  if (gas === undefined) return { kind: 'refused', signatures }
  onAsk('payment')
  const outcome = await sendTransaction(provider, { ...call, gas, nonce })
  return { ...outcome, signatures: signatures + (outcome.kind === 'sent' ? 1 : 0) }
}

const payUpToData = ({ token, debtors, validUntil }: RegisterOffer) =>
  encodePayUpTo(
    token,
    debtors.map(({ total, ...debt }) => ({ ...debt, total: BigInt(total) })),
    validUntil,
  )
