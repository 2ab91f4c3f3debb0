import type { Address } from 'viem'
import type { PublicPrize } from '../../../core/prize/promise.ts'
import { ApiError, getJson, postJson } from '../shell/api.ts'
import { t } from '../texts/index.ts'
import { personalSign } from '../wallet/eip1193.ts'
import { walletMessage, walletProvider } from '../wallet/wallet.ts'

/** Its message is a sentence for the winner. */
export class ClaimError extends Error {
  override name = 'ClaimError'
}

type Claim = Pick<PublicPrize, 'eventNumber' | 'place'> & { wallet: Address; chainId: number }

/** Signed anew it returns the same code for the event's form. Throws ClaimError. */
export async function signClaim(claim: Claim): Promise<{ code: string; formUrl: string | null }> {
  const { eventNumber, place, wallet } = claim
  const provider = walletProvider()
  if (!provider) throw new ClaimError(t.claim.walletGone)
  const query = `?place=${place}&wallet=${wallet}`
  const { message } = (await asked(() => getJson(`/api/raffle/claim/${eventNumber}`, undefined, query))).value
  // Nothing but this prize's message for this wallet, on this site, is laid before the visitor to sign.
  if (!isWanted(message, { ...claim, host: location.host })) throw new ClaimError(t.claim.notAClaim)
  const signature = (await personalSign(provider, message, wallet).catch((error) => {
    throw new ClaimError(walletMessage(error) ?? t.claim.notSigned)
  })) as `0x${string}`
  const { code, formUrl } = await asked(() =>
    postJson('/api/raffle/claim', { eventNumber, place, message, signature }),
  )
  return { code, formUrl: formUrl ?? null }
}

async function asked<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    const detail = error instanceof ApiError ? error.detail : undefined
    throw new ClaimError(detail ?? t.claim.unreachable)
  }
}

/** What a message has to bind before a wallet is asked to sign it; `host` is this page's. @internal */
export type Wanted = Claim & { host: string }

/** EIP-4361; core/prize/claim.ts, which makes these messages, is not loaded into the page. */
const form = new RegExp(
  [
    '^(?:https?://)?(?<domain>\\S+) wants you to sign in with your Ethereum account:',
    '(?<named>0x[0-9a-fA-F]{40})',
    '',
    'I claim the prize of raffle event (?<event>\\d+): place (?<at>\\d+) of [^\\n]+',
    '',
    'URI: (?<uri>\\S+)',
    'Version: 1',
    'Chain ID: (?<chain>\\d+)',
    'Nonce: [a-zA-Z0-9]{8,}',
    'Issued At: \\S+',
    'Expiration Time: \\S+$',
  ].join('\\n'),
)

/** Whether a message binds this site, this wallet, this chain, this prize, and ends. @internal */
export function isWanted(message: string, { host, wallet, chainId, eventNumber, place }: Wanted): boolean {
  const { domain, named, event, at, uri = '', chain } = form.exec(message)?.groups ?? {}
  return (
    domain === host &&
    named?.toLowerCase() === wallet.toLowerCase() &&
    // Behind a proxy the server may not know that visitors use https.
    (uri === `https://${host}/` || uri === `http://${host}/`) &&
    chain === `${chainId}` &&
    event === `${eventNumber}` &&
    at === `${place}`
  )
}
