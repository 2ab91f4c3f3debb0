import { type Address, getAddress } from 'viem'

/** EIP-55. Loaded with the first wallet, as the hash it needs is not small. */
export const checksum = (address: string): Address => getAddress(address.toLowerCase())
