import type { Address } from 'viem'

/** BNB Smart Chain. */
export const bscChainId = 56

/** BSC-USD on that chain, 18 decimals: the default token that buys tickets. */
export const usdtOnBsc: Address = '0x55d398326f99059fF775485246999027B3197955'
