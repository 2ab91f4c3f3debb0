import { type Bound, statementOf } from '../wallet/signed-message.ts'

/** What a message has to be before a wallet is asked to sign it. */
export type Wanted = Bound & {
  eventNumber: number
  place: number
}

/** As core/prize/claim.ts begins it; what makes the messages there is not loaded into the page. */
const sentence = 'I claim the prize of raffle event'

/**
 * Whether all that an EIP-4361 message binds is what is wanted: this site, this wallet, this chain, this prize, and an end.
 * Anything else is not laid before the visitor to sign.
 */
export function isWanted(message: string, wanted: Wanted): boolean {
  const { eventNumber, place } = wanted
  const statement = statementOf(message, wanted)
  return statement?.startsWith(`${sentence} ${eventNumber}: place ${place} of `) === true
}
