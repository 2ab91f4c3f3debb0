import { createHmac, timingSafeEqual } from 'node:crypto'
import { type ClaimTerms, normalizeClaimCode } from '../../core/claim.ts'
import { deriveKey } from '../auth/secret-box.ts'

type Winner = Pick<ClaimTerms, 'eventNumber' | 'place' | 'walletAddress'>

const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/**
 * A winner's code for the shipping form, bound to his place: 80 bits derived from SECRET_KEY, so nothing is stored and
 * every process can compute it. He gets the same code each time.
 */
export function claimCodes(secretKey: string) {
  const key = deriveKey(secretKey, 'winner claim codes')
  const codeFor = ({ eventNumber, place, walletAddress }: Winner): string => {
    const text = `${eventNumber} ${place} ${walletAddress.toLowerCase()}`
    const bytes = createHmac('sha256', key).update(text).digest()
    let bits = BigInt(`0x${bytes.subarray(0, 10).toString('hex')}`)
    let code = ''
    for (let i = 0; i < 16; i++, bits >>= 5n) code = `${digits[Number(bits & 31n)]}${code}`
    return normalizeClaimCode(code)
  }
  return {
    codeFor,
    isCodeOf(code: string, winner: Winner): boolean {
      const [given, right] = [normalizeClaimCode(code), codeFor(winner)].map((text) => Buffer.from(text)) as [
        Buffer,
        Buffer,
      ]
      return given.length === right.length && timingSafeEqual(given, right)
    },
  }
}
