import type { Address, Hex } from 'viem'
import type { PublicPrize } from '../../../core/prize/promise.ts'
import { ApiError, getJson, postJson } from '../shell/api.ts'
import { t } from '../texts/index.ts'
import { personalSign } from '../wallet/eip1193.ts'
import { type Bound, statementOf } from '../wallet/signed-message.ts'
import { walletMessage, walletProvider } from '../wallet/wallet.ts'

/** Its message is a sentence for the winner. */
export class ClaimError extends Error {
  override name = 'ClaimError'
}

type Claim = Pick<PublicPrize, 'eventNumber' | 'place'> & { wallet: Address; chainId: number }

/**
 * The wallet whose turn it is signs the claim of this prize. Returns the code for the event's shipping form, the same one each time.
 * Throws ClaimError.
 */
export async function signClaim(claim: Claim): Promise<{ code: string; formUrl: string | null }> {
  const { eventNumber, place } = claim
  const { message, signature } = await signedMessage(claim)
  const { code, formUrl } = await asked(() =>
    postJson('/api/raffle/claim', { eventNumber, place, message, signature }),
  )
  return { code, formUrl: formUrl ?? null }
}

async function signedMessage({
  eventNumber,
  place,
  wallet,
  chainId,
}: Claim): Promise<{ message: string; signature: Hex }> {
  if (!walletProvider()) throw new ClaimError(t.claim.walletGone)
  const query = `?place=${place}&wallet=${wallet}`
  const { message } = (await asked(() => getJson(`/api/raffle/claim/${eventNumber}`, undefined, query))).value
  // Nothing but this prize's message for this wallet, on this site, is laid before the visitor to sign.
  const { host } = location
  if (!isWanted(message, { host, wallet, chainId, eventNumber, place }))
    throw new ClaimError(t.claim.notAClaim)
  return { message, signature: await signed(message, wallet) }
}

async function signed(message: string, wallet: Address): Promise<Hex> {
  const provider = walletProvider()
  if (!provider) throw new ClaimError(t.claim.walletGone)
  const signature = await personalSign(provider, message, wallet).catch((error) => {
    throw new ClaimError(walletMessage(error) ?? t.claim.notSigned)
  })
  return signature as Hex
}

async function asked<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    const detail = error instanceof ApiError ? error.detail : undefined
    throw new ClaimError(detail ?? t.claim.unreachable)
  }
}

/**
 * What a message has to be before a wallet is asked to sign it.
 * @internal
 */
export type Wanted = Bound & {
  eventNumber: number
  place: number
}

/** As core/prize/claim.ts begins it; what makes the messages there is not loaded into the page. */
const sentence = 'I claim the prize of raffle event'

/**
 * Whether all that an EIP-4361 message binds is what is wanted: this site, this wallet, this chain, this prize, and an end.
 * Anything else is not laid before the visitor to sign.
 * @internal
 */
export function isWanted(message: string, wanted: Wanted): boolean {
  const { eventNumber, place } = wanted
  const statement = statementOf(message, wanted)
  return statement?.startsWith(`${sentence} ${eventNumber}: place ${place} of `) === true
}
