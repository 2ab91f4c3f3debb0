import type { Hex } from 'viem'

/** EIP-7702: an account of a person that runs a contract's code by delegation. */
const delegation = /^0xef0100[0-9a-f]{40}$/i

/** True for code that may not pass a refund on to its payer; an account with a delegation can. */
export const isContractCode = (code: Hex | undefined): boolean =>
  code !== undefined && code !== '0x' && !delegation.test(code)
