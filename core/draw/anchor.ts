import { concat, type Hex, sha256, stringToHex } from 'viem'
import { word } from '../chain/calldata.ts'

/** What an anchor carries: SHA-256(terms line, its newline included ‖ the 32 bytes of the ledger's SHA-256). */
export const commitmentOf = (termsLine: string, ledgerSha256: Hex): Hex =>
  sha256(concat([stringToHex(termsLine), ledgerSha256]))

/** Calldata of the register's `anchor(bytes32,uint256,bytes32)`. Throws for what is no book, event or commitment. */
export function encodeAnchor(book: string, eventNumber: number, commitment: string): Hex {
  if (!isBytes32(book)) throw new TypeError('not a book')
  if (!Number.isSafeInteger(eventNumber) || eventNumber < 1) throw new TypeError('not an event')
  if (!isBytes32(commitment)) throw new TypeError('not a commitment')
  return `0x4dc409c2${word(book)}${word(BigInt(eventNumber))}${word(commitment)}`
}

const isBytes32 = (value: string): boolean => /^0x[0-9a-fA-F]{64}$/.test(value)
