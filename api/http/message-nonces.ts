import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { deriveKeys, type SecretKeys } from '../../core/server/secrets.ts'

const randomLength = 24
const macLength = 32

/**
 * Nonces of messages that wallets sign: a random part, and an HMAC over it and all that the message is for (`about`). So each
 * process knows every nonce that another has made, and asking for one stores nothing; that none is taken twice, where it matters,
 * is up to the database. `purpose` gives each kind of message keys of its own.
 */
export function messageNonces(secretKeys: SecretKeys, purpose: string) {
  const keys = deriveKeys(secretKeys, purpose)
  const macOf = (key: Buffer, random: string, about: readonly (string | number)[]): string =>
    createHmac('sha256', key)
      .update([random, ...about].join(' '))
      .digest('hex')
      .slice(0, macLength)

  return {
    nonceFor(about: readonly (string | number)[]): string {
      const random = randomBytes(randomLength / 2).toString('hex')
      return `${random}${macOf(keys[0], random, about)}`
    },
    isNonceFor(nonce: string, about: readonly (string | number)[]): boolean {
      const given = Buffer.from(nonce.slice(randomLength))
      return keys.some((key) => {
        const right = Buffer.from(macOf(key, nonce.slice(0, randomLength), about))
        return given.length === right.length && timingSafeEqual(given, right)
      })
    },
  }
}
