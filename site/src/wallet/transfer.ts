import type { Address, Hex } from 'viem'
import { unitsOf } from '../../../core/money.ts'

/** Gas limit of a purchase: 90,000. */
export const transferGas: Hex = '0x15f90'

/** Calldata of the token's `transfer(to, units)`: the selector and two 32-byte words. */
export function encodeTransfer(to: Address, units: bigint): Hex {
  if (!/^0x[0-9a-fA-F]{40}$/.test(to)) throw new TypeError('not an address')
  if (units <= 0n || units >= 2n ** 256n) throw new RangeError('units out of range')
  const word = (hex: string) => hex.toLowerCase().padStart(64, '0')
  return `0xa9059cbb${word(to.slice(2))}${word(units.toString(16))}`
}

/** Hundredths of a USDT in a price such as 3 or 2.5; the API never gives more than two decimals. */
export const priceCents = (ticketPrice: number): bigint => BigInt(Math.round(ticketPrice * 100))

/** What `quantity` tickets cost, in hundredths and in token units. */
export function purchaseTotal(quantity: number, ticketPrice: number): { cents: bigint; units: bigint } {
  const cents = BigInt(quantity) * priceCents(ticketPrice)
  return { cents, units: unitsOf(cents) }
}
