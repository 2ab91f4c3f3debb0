import type { Address, Hex } from 'viem'
import { checkTransfer, word } from '../../../wallet/transfer.ts'

/** `approve(address,uint256)`. */
export function encodeApprove(spender: Address, units: bigint): Hex {
  checkTransfer(spender, units)
  return `0x095ea7b3${word(spender)}${word(units)}`
}

/** `allowance(address,address)`. */
export const encodeAllowance = (owner: Address, spender: Address): Hex =>
  `0xdd62ed3e${word(owner)}${word(spender)}`

/** `disperseTokenSimple(address,address[],uint256[])`: each payment goes straight from the caller's wallet. */
export function encodeDisperse(token: Address, rows: readonly { to: Address; units: bigint }[]): Hex {
  for (const { to, units } of rows) checkTransfer(to, units)
  const count = word(BigInt(rows.length))
  const recipients = rows.map(({ to }) => word(to)).join('')
  const values = rows.map(({ units }) => word(units)).join('')
  const secondList = BigInt(32 * (4 + rows.length))
  return `0x51ba162c${word(token)}${word(96n)}${word(secondList)}${count}${recipients}${count}${values}`
}
