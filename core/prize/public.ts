import type { Address, Hash } from 'viem'

export type PrizeKind = 'token' | 'goods'
/** `due` is a token prize's, and `unclaimed` to `delivered` are those of goods; both are `sent`. */
export type PrizeState = 'due' | 'unclaimed' | 'claimed' | 'sent' | 'delivered'
/** What an administrator says of goods; `corrected`: what was said to be sent was not. */
export type PrizeAct = 'sent' | 'corrected' | 'delivered'

/** One step of what became of a prize. */
export type PublicPrizeStep = {
  step: 'drawn' | 'turn' | 'claimed' | PrizeAct
  at: string
  /** Whose turn it was. */
  walletAddress: Address
  /** Of a step that is a transaction. */
  transactionHash: Hash | null
  /** Of `corrected`, in the administrator's words. */
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
