import { concat, type Hex, sha256, stringToHex } from 'viem'
import { word } from '../chain/calldata.ts'

/** What an anchor carries: SHA-256(terms line, its newline included ‖ the 32 bytes of the ledger's SHA-256). */
export const commitmentOf = (termsLine: string, ledgerSha256: Hex): Hex =>
  sha256(concat([stringToHex(termsLine), ledgerSha256]))

/** Calldata of the register's `anchor(uint256,bytes32)`. Throws for what is no event or no commitment. */
export function encodeAnchor(eventNumber: number, commitment: string): Hex {
  if (!Number.isSafeInteger(eventNumber) || eventNumber < 1) throw new TypeError('not an event')
  if (!/^0x[0-9a-fA-F]{64}$/.test(commitment)) throw new TypeError('not a commitment')
  return `0xa0ca2d08${word(BigInt(eventNumber))}${word(commitment)}`
}
