import { createHmac, timingSafeEqual } from 'node:crypto'
import { type ClaimTerms, normalizeClaimCode } from '../../core/prize/claim.ts'
import { deriveKeys, type SecretKeys } from '../../core/server/secrets.ts'

type Winner = Pick<ClaimTerms, 'eventNumber' | 'place' | 'walletAddress'>

const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/**
 * A winner's code for the shipping form, bound to his place: 80 bits derived from SECRET_KEY, so nothing is stored and
 * every process can compute it. He gets the same code each time; what he got under the key before is still good while it
 * is named.
 */
export function claimCodes(secretKeys: SecretKeys) {
  const keys = deriveKeys(secretKeys, 'winner claim codes')
  const codeFor = ({ eventNumber, place, walletAddress }: Winner, [key] = keys): string => {
    const text = `${eventNumber} ${place} ${walletAddress.toLowerCase()}`
    const bytes = createHmac('sha256', key).update(text).digest()
    let bits = BigInt(`0x${bytes.subarray(0, 10).toString('hex')}`)
    let code = ''
    for (let i = 0; i < 16; i++, bits >>= 5n) code = `${digits[Number(bits & 31n)]}${code}`
    return normalizeClaimCode(code)
  }
  return {
    codeFor: (winner: Winner): string => codeFor(winner),
    isCodeOf(code: string, winner: Winner): boolean {
      const given = Buffer.from(normalizeClaimCode(code))
      return keys.some((key) => {
        const right = Buffer.from(codeFor(winner, [key]))
        return given.length === right.length && timingSafeEqual(given, right)
      })
    },
  }
}
