import type { Hex } from 'viem'
import { word } from '../../wallet/transfer.ts'

/**
 * Calldata of the anchor: the token's `transfer(operatorWallet, 0)` with the 32-byte fingerprint of the frozen
 * list appended. Wallets refuse data sent to their own account, so it calls the token; zero buys nothing.
 */
export function anchorData(operatorWallet: string, ledgerSha256: string): Hex {
  const fingerprint = ledgerSha256.replace(/^0x/, '')
  if (!/^0x[0-9a-fA-F]{40}$/.test(operatorWallet)) throw new TypeError('not an address')
  if (!/^[0-9a-fA-F]{64}$/.test(fingerprint)) throw new TypeError('not a fingerprint')
  return `0xa9059cbb${word(operatorWallet)}${word(0n)}${fingerprint.toLowerCase()}`
}
