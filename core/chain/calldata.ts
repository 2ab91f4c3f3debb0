import type { Address } from 'viem'

/** One argument in calldata: 32 bytes without 0x. By hand, as an ABI encoder would weigh more than the buy slip. */
export const word = (value: string | bigint): string =>
  (typeof value === 'bigint' ? value.toString(16) : value.slice(2).toLowerCase()).padStart(64, '0')

/** Throws for what is no address, and for what no 32 bytes can hold. */
export function checkTransfer(to: Address, units: bigint): void {
  if (!/^0x[0-9a-fA-F]{40}$/.test(to)) throw new TypeError('not an address')
  if (units < 0n || units >= 2n ** 256n) throw new RangeError('units out of range')
}
