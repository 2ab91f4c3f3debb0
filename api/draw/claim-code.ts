import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Address } from 'viem'
import { normalizeClaimCode } from '../../core/claim.ts'
import { deriveKey } from '../auth/secret-box.ts'

const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/**
 * The winner's code for the shipping form: 80 bits derived from SECRET_KEY, so nothing is stored and every
 * process can compute it. The winner gets the same code each time.
 */
export function claimCodes(secretKey: string) {
  const key = deriveKey(secretKey, 'winner claim codes')
  const codeFor = (eventNumber: number, wallet: Address): string => {
    const bytes = createHmac('sha256', key).update(`${eventNumber} ${wallet.toLowerCase()}`).digest()
    let bits = BigInt(`0x${bytes.subarray(0, 10).toString('hex')}`)
    let code = ''
    for (let i = 0; i < 16; i++, bits >>= 5n) code = `${digits[Number(bits & 31n)]}${code}`
    return normalizeClaimCode(code)
  }
  return {
    codeFor,
    isCodeOf(code: string, eventNumber: number, wallet: Address): boolean {
      const [given, right] = [
        Buffer.from(normalizeClaimCode(code)),
        Buffer.from(codeFor(eventNumber, wallet)),
      ]
      return given.length === right.length && timingSafeEqual(given, right)
    },
  }
}
