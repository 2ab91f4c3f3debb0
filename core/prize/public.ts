import type { Address, Hash } from 'viem'

export type PrizeKind = 'token' | 'goods'
/** `due` and `paid` are a token prize's; the others those of goods. */
export type PrizeState = 'due' | 'paid' | 'unclaimed' | 'claimed' | 'shipped' | 'delivered'

/** One step of what became of a prize. */
export type PublicPrizeStep = {
  step: 'drawn' | 'turn' | 'claimed' | 'shipped' | 'corrected' | 'delivered' | 'paid'
  at: string
  /** Whose turn it was. */
  walletAddress: Address
  /** Of a step that is a transaction. */
  transactionHash: Hash | null
  /** Of `corrected`: why a parcel that was told as sent was not, in the administrator's words. */
  reason: string | null
}

/** What became of the prize of one winner. */
export type PublicPrize = {
  eventNumber: number
  /** 1..`winners`. */
  place: number
  kind: PrizeKind
  /** Whole units of the token; null for goods. */
  units: string | null
  state: PrizeState
  /** Whose it is: the winner, or the reserve whose turn it is; null when all turns went by. */
  holder: { kind: 'winner' | 'reserve'; place: number; walletAddress: Address } | null
  /** Until when the holder may claim; null for a token prize, and once it is claimed or all turns went by. */
  claimBy: string | null
  steps: PublicPrizeStep[]
}
