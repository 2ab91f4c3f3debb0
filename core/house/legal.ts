import { type Hex, sha256, stringToBytes } from 'viem'
import type { LegalText } from './rules.ts'

/** The bytes that a version is: what `GET /api/raffle/legal/{sha256}` answers, and what its name is the SHA-256 of. */
export const legalBytes = ({ kind, en, ko }: LegalText): string => JSON.stringify({ kind, en, ko })

export const legalSha256 = (text: LegalText): Hex => sha256(stringToBytes(legalBytes(text)))
