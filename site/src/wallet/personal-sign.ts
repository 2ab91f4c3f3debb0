import type { Eip1193 } from './eip1193.ts'

/** Asks the wallet to sign a text as EIP-191 has it. Throws what the wallet throws. */
export const personalSign = (provider: Eip1193, text: string, account: string): Promise<unknown> =>
  provider.request({ method: 'personal_sign', params: [hexOf(text), account] })

const hexOf = (text: string): string =>
  `0x${[...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
