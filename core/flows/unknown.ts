import type { Address } from 'viem'
import type { PublicSolvency } from '../live/solvency.ts'

/** While nothing was reckoned for the event. */
export const unknownSolvency = (eventNumber: number, token: Address): PublicSolvency => ({
  ...{
    eventNumber,
    state: 'unknown',
    token,
    block: null,
    held: '0',
    required: '0',
    cover: '0',
    ratioBp: null,
  },
  ...{ wallets: [], owed: { leftovers: '0', refunds: '0', credited: '0', prizes: '0' }, lowest: null },
  ...{ shortSince: null, dust: '0', promised: [] },
  ...{ outflow: { refund: '0', prize: '0', own: '0', other: '0' }, others: [], equation: 'unknown' },
})
