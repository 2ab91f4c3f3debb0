import type { Address, Hex } from 'viem'
import { walletProvider } from './wallet.ts'

/** Signs a text by `personal_sign`; undefined where no wallet is connected any more. Throws what the wallet throws. */
export async function signText(text: string, wallet: Address): Promise<Hex | undefined> {
  const provider = walletProvider()
  if (!provider) return undefined
  return (await provider.request({ method: 'personal_sign', params: [hexOf(text), wallet] })) as Hex
}

const hexOf = (text: string): string =>
  `0x${[...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
