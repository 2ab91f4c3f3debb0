import { type Address, type Hash, isAddress } from 'viem'
import { type ErrorCode, RaffleError } from '../../core/errors.ts'

/** A transaction hash in any spelling, trimmed and lower case; throws INVALID_TX_HASH. */
export function toHash(value: unknown): Hash {
  const text = typeof value === 'string' ? value.trim().toLowerCase() : ''
  if (!/^0x[0-9a-f]{64}$/.test(text))
    throw new RaffleError('INVALID_TX_HASH', 'A transaction hash is 0x and 64 hexadecimal digits.')
  return text as Hash
}

/** An address in any case, lower case; a mixed-case one must have its checksum. Throws INVALID_WALLET. */
export function toWallet(value: unknown): Address {
  const text = typeof value === 'string' ? value.trim().replace(/^0X/, '0x') : ''
  const oneCase =
    text.slice(2) === text.slice(2).toLowerCase() || text.slice(2) === text.slice(2).toUpperCase()
  if (!isAddress(text, { strict: !oneCase }))
    throw new RaffleError('INVALID_WALLET', 'A wallet address is 0x and 40 hexadecimal digits.')
  return text.toLowerCase() as Address
}

/** A whole number within bounds; throws `code`. */
export function toInteger(value: unknown, code: ErrorCode, name: string, min: number, max: number): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < min || value > max)
    throw new RaffleError(code, `${name} must be a whole number from ${min} to ${max}.`)
  return value
}

/** The event number of a path: small and positive, anything else is an event that does not exist. */
export function toEventNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new RaffleError('NOT_FOUND', 'There is no such event.')
  return Number(text)
}
