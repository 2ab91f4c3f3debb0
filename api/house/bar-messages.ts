import type { Address, Hex } from 'viem'
import { isSignedByKey } from '../../core/event/wallet-proof.ts'
import { type BarTerms, barEnd, barMessage } from '../../core/house/bar.ts'
import type { Bar } from '../../db/house/bars.ts'
import { messageNonces } from '../http/message-nonces.ts'
import { type MessageCall, type MessageDeps, notSigned, signedMessages } from '../http/signed-messages.ts'

/**
 * Messages by which wallets bar themselves, for ten minutes and one site. None has to be noted as used: a break counts from its
 * message, so the same message again says what is known.
 */
export function barMessages(deps: MessageDeps) {
  const { nonceFor, isNonceFor } = messageNonces(deps.admin, 'bar messages')
  const messages = signedMessages(deps)

  /** A new message for this wallet. Nothing is stored. */
  const make = (terms: BarTerms, call: MessageCall): Promise<string> =>
    messages.make(call, (session) =>
      barMessage(terms, { ...session, nonce: nonceFor(partsOf(terms, session)) }),
    )

  /**
   * That this wallet has signed a message of ours for these days, still good, and until when it bars itself. Throws
   * CLAIM_MISMATCH, CLAIM_EXPIRED, INVALID_VALUE for a signature of somebody else, RPC_UNAVAILABLE where a contract could not be asked.
   */
  async function expectSigned(
    terms: BarTerms,
    { message, signature }: { message: string; signature: Hex },
    call: MessageCall,
  ): Promise<Bar> {
    const { issuedAt } = await messages.expectGood(message, call, {
      isOurs: (session) =>
        isNonceFor(session.nonce, partsOf(terms, session)) && message === barMessage(terms, session),
      about: 'this wallet and these days',
    })
    const wallet = terms.walletAddress.toLowerCase() as Address
    if (!(await isSignedByKey(wallet, message, signature)))
      await messages.expectContract({ wallet, message, signature }, call, () => notSigned('this wallet'))
    return { wallet, until: barEnd(issuedAt, terms.days), message, signature }
  }
  return { make, expectSigned }
}

const partsOf = (
  { walletAddress, days, chainId }: BarTerms,
  { origin, issuedAt }: { origin: string; issuedAt: Date },
) => [walletAddress.toLowerCase(), days, chainId, origin, issuedAt.getTime()]
