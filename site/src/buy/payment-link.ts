import type { Address } from 'viem'

/** EIP-681: a transfer of `units` of the token on this chain, as wallets read it from a QR code or a link. */
export const paymentLink = (token: Address, chainId: number, to: Address, units: bigint): string =>
  `ethereum:${token}@${chainId}/transfer?address=${to}&uint256=${units}`
