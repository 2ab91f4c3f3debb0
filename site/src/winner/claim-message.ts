import type { ClaimPurpose } from '../../../core/prize/claim.ts'
import { type Bound, statementOf } from '../wallet/signed-message.ts'

/** What a message has to be before a wallet is asked to sign it. */
export type Wanted = Bound & {
  purpose: ClaimPurpose
  eventNumber: number
  place: number
}

/** As core/prize/claim.ts begins them; what makes the messages there is not loaded into the page. */
const sentences: Record<ClaimPurpose, string> = {
  claim: 'I claim the prize of raffle event',
  receipt: 'I have received the prize of raffle event',
}

/**
 * Whether all that an EIP-4361 message binds is what is wanted: this site, this wallet, this chain, this prize, and an end.
 * Anything else is not laid before the visitor to sign.
 */
export function isWanted(message: string, wanted: Wanted): boolean {
  const { purpose, eventNumber, place } = wanted
  const statement = statementOf(message, wanted)
  return statement?.startsWith(`${sentences[purpose]} ${eventNumber}: place ${place} of `) === true
}
