import type { Address } from 'viem'

/** BNB Smart Chain. */
export const bscChainId = 56

/** BSC-USD there, 18 decimals: what buys tickets wherever nobody named another token. */
export const usdtOnBsc: Address = '0x55d398326f99059fF775485246999027B3197955'
