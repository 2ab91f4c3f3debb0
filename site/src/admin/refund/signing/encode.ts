import type { Address, Hex } from 'viem'

/** Calldata of the few calls that a refund makes, encoded here: selector and 32-byte words. */
const word = (value: string | bigint): string =>
  (typeof value === 'bigint' ? value.toString(16) : value.slice(2).toLowerCase()).padStart(64, '0')

const limit = 2n ** 256n

function checked(address: Address, units: bigint): void {
  if (!/^0x[0-9a-fA-F]{40}$/.test(address)) throw new TypeError('not an address')
  if (units < 0n || units >= limit) throw new RangeError('units out of range')
}

/** `approve(address,uint256)`. */
export function encodeApprove(spender: Address, units: bigint): Hex {
  checked(spender, units)
  return `0x095ea7b3${word(spender)}${word(units)}`
}

/** `balanceOf(address)`. */
export const encodeBalanceOf = (owner: Address): Hex => `0x70a08231${word(owner)}`

/** `allowance(address,address)`. */
export const encodeAllowance = (owner: Address, spender: Address): Hex =>
  `0xdd62ed3e${word(owner)}${word(spender)}`

/** `disperseTokenSimple(address,address[],uint256[])`: each payment goes straight from the caller's wallet. */
export function encodeDisperse(token: Address, rows: readonly { to: Address; units: bigint }[]): Hex {
  for (const { to, units } of rows) checked(to, units)
  const count = word(BigInt(rows.length))
  const recipients = rows.map(({ to }) => word(to)).join('')
  const values = rows.map(({ units }) => word(units)).join('')
  const secondList = BigInt(32 * (4 + rows.length))
  return `0x51ba162c${word(token)}${word(96n)}${word(secondList)}${count}${recipients}${count}${values}`
}
