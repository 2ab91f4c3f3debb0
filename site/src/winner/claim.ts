import type { Address, Hex } from 'viem'
import { ApiError, getJson, postJson } from '../shell/api.ts'
import { t } from '../texts/index.ts'
import { walletMessage, walletProvider } from '../wallet/wallet.ts'

/** Its message is a sentence for the winner. */
export class ClaimError extends Error {
  override name = 'ClaimError'
}

/**
 * The wallet of the winner with this place signs the claim of this event. Returns the code for the shipping form, the same one
 * each time. Throws ClaimError.
 */
export async function signClaim(eventNumber: number, place: number, wallet: Address): Promise<string> {
  const provider = walletProvider()
  if (!provider) throw new ClaimError(t.claim.walletGone)
  const { message } = (
    await asked(() =>
      getJson(`/api/raffle/claim/${eventNumber}`, undefined, place > 1 ? `?place=${place}` : ''),
    )
  ).value
  // Nothing but a claim of this prize by this wallet is laid before the visitor to sign.
  const isClaim = message.startsWith(`I claim the prize of raffle event ${eventNumber}.\n`)
  if (!isClaim || !message.toLowerCase().includes(`\nmy wallet: ${wallet.toLowerCase()}\n`))
    throw new ClaimError(t.claim.notAClaim)
  const signature = await signed(() =>
    provider.request({ method: 'personal_sign', params: [hexOf(message), wallet] }),
  )
  return (
    await asked(() => postJson('/api/raffle/claim', { eventNumber, signature, ...(place > 1 && { place }) }))
  ).code
}

async function signed(sign: () => Promise<unknown>): Promise<Hex> {
  try {
    return (await sign()) as Hex
  } catch (error) {
    throw new ClaimError(walletMessage(error) ?? t.claim.notSigned)
  }
}

async function asked<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    const detail = error instanceof ApiError ? error.detail : undefined
    throw new ClaimError(detail ?? t.claim.unreachable)
  }
}

const hexOf = (text: string): string =>
  `0x${[...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
