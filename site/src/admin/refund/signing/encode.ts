import type { Address, Hex } from 'viem'
import { word } from '../../../../../core/chain/calldata.ts'

/** `allowance(address,address)`. */
export const encodeAllowance = (owner: Address, spender: Address): Hex =>
  `0xdd62ed3e${word(owner)}${word(spender)}`
