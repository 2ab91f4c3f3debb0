import type { Address, Hex } from 'viem'
import { unitsOf } from '../../../core/money.ts'

/** Gas limit of a purchase: 90,000. */
export const transferGas: Hex = '0x15f90'

/** One argument in calldata: 32 bytes without 0x. By hand, as an ABI encoder would weigh more than the buy slip. */
export const word = (value: string | bigint): string =>
  (typeof value === 'bigint' ? value.toString(16) : value.slice(2).toLowerCase()).padStart(64, '0')

/** Calldata of the token's `transfer(to, units)`: the selector and two words. */
export function encodeTransfer(to: Address, units: bigint): Hex {
  checkTransfer(to, units)
  if (units === 0n) throw new RangeError('units out of range')
  return `0xa9059cbb${word(to)}${word(units)}`
}

/** `balanceOf(address)`. */
export const encodeBalanceOf = (owner: Address): Hex => `0x70a08231${word(owner)}`

/** Throws for what is no address, and for what no 32 bytes can hold. */
export function checkTransfer(to: Address, units: bigint): void {
  if (!/^0x[0-9a-fA-F]{40}$/.test(to)) throw new TypeError('not an address')
  if (units < 0n || units >= 2n ** 256n) throw new RangeError('units out of range')
}

/** Hundredths of a USDT in a price such as 3 or 2.5; the API never gives more than two decimals. */
export const priceCents = (ticketPrice: number): bigint => BigInt(Math.round(ticketPrice * 100))

/** What `quantity` tickets cost, in hundredths and in token units. */
export function purchaseTotal(quantity: number, ticketPrice: number): { cents: bigint; units: bigint } {
  const cents = BigInt(quantity) * priceCents(ticketPrice)
  return { cents, units: unitsOf(cents) }
}
