import type { Address, Hex } from 'viem'
import { checkTransfer, word } from '../../../core/chain/register.ts'
import { unitsOf } from '../../../core/money.ts'

/** Gas limit of a purchase: 90,000. */
export const transferGas: Hex = '0x15f90'

/** Calldata of the token's `transfer(to, units)`: the selector and two words. */
export function encodeTransfer(to: Address, units: bigint): Hex {
  checkTransfer(to, units)
  if (units === 0n) throw new RangeError('units out of range')
  return `0xa9059cbb${word(to)}${word(units)}`
}

/** `balanceOf(address)`. */
export const encodeBalanceOf = (owner: Address): Hex => `0x70a08231${word(owner)}`

/** Hundredths of a USDT in a price such as 3 or 2.5; the API never gives more than two decimals. */
export const priceCents = (ticketPrice: number): bigint => BigInt(Math.round(ticketPrice * 100))

export function purchaseTotal(quantity: number, ticketPrice: number): { cents: bigint; units: bigint } {
  const cents = BigInt(quantity) * priceCents(ticketPrice)
  return { cents, units: unitsOf(cents) }
}
