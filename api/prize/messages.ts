import type { Address, Hex } from 'viem'
import { RaffleError } from '../../core/errors.ts'
import { isSignedByKey } from '../../core/event/wallet-proof.ts'
import { type ClaimPurpose, type ClaimTerms, claimMessage } from '../../core/prize/claim.ts'
import { type Claimable, expectOpen, type Signed } from '../../db/prize/claims.ts'
import {
  type MessageCall,
  type MessageDeps,
  notAsked,
  notSigned,
  signedMessages,
} from '../http/signed-messages.ts'
import { claimNonces } from './nonces.ts'

type Given = { message: string; signature: Hex }

/** Messages that holders sign: made for one purpose, and taken once, by the holder's own key or contract (ERC-1271). */
export function claimMessages(deps: MessageDeps) {
  const { nonceFor, isNonceFor } = claimNonces(deps.admin)
  const messages = signedMessages(deps)

  /** A new message for this holder. Nothing is stored. */
  const make = (purpose: ClaimPurpose, terms: ClaimTerms, call: MessageCall): Promise<string> =>
    messages.make(call, (session) =>
      claimMessage(purpose, terms, { ...session, nonce: nonceFor({ purpose, ...terms, ...session }) }),
    )

  /**
   * That this is a message of ours for this holder, still good, and signed by him. Throws CLAIM_MISMATCH, CLAIM_EXPIRED,
   * CLAIM_CLOSED where nobody can claim or confirm this, INVALID_VALUE for a signature of somebody else, RPC_UNAVAILABLE where
   * a contract could not be asked.
   */
  async function expectSigned(
    purpose: ClaimPurpose,
    terms: Claimable,
    { message, signature }: Given,
    call: MessageCall,
  ): Promise<Signed> {
    const { nonce } = await messages.expectGood(message, call, {
      isOurs: (session) =>
        isNonceFor(session.nonce, { purpose, ...terms, ...session }) &&
        message === claimMessage(purpose, terms, session),
      about: 'this event, place and wallet',
    })
    await expectOpen(deps.db, purpose, terms)
    const wallet = terms.walletAddress.toLowerCase() as Address
    const isOwnKey = await isSignedByKey(wallet, message, signature)
    if (!isOwnKey) {
      expectContractHolder(purpose, terms)
      await messages.expectContract({ wallet, message, signature }, call, notHis)
    }
    return { wallet, message, signature, nonce, proof: isOwnKey ? 'personal' : 'contract' }
  }
  return { make, expectSigned }
}

/** Only a contract is asked, and only where its word still says something new: anybody may post a signature. */
function expectContractHolder(purpose: ClaimPurpose, { holderIsContract, state }: Claimable): void {
  if (holderIsContract === false) throw notHis()
  if (holderIsContract === null) throw notAsked()
  if (state === 'delivered' || (purpose === 'claim' && state === 'shipped'))
    throw new RaffleError('CLAIM_CLOSED', 'This prize is on its way or has come: nothing has to be signed.')
}

const notHis = () => notSigned('the wallet whose turn it is')
