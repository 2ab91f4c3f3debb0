import type { Address, Hex } from 'viem'
import { personalSign } from './personal-sign.ts'
import { walletProvider } from './wallet.ts'

/** Signs a text by `personal_sign`; undefined where no wallet is connected any more. Throws what the wallet throws. */
export async function signText(text: string, wallet: Address): Promise<Hex | undefined> {
  const provider = walletProvider()
  return provider && ((await personalSign(provider, text, wallet)) as Hex)
}
