import type { Address, Hash } from 'viem'

/** Whether the wallets of the operator hold what is owed. `unknown`: what it takes could not be read, or does not agree. */
export type Cover = 'covered' | 'short' | 'unknown'

/** What is held and what is owed at a final block. Amounts are whole units of the token, as decimal text; `cover` may be below 0. */
export type PublicSolvency = {
  eventNumber: number
  state: Cover
  token: Address
  /** The final block that all of it is told for; null while none was reckoned. */
  block: { number: number; hash: Hash; timestamp: number } | null
  /** USDT of the wallets below. */
  held: string
  required: string
  /** `held` less `required`. */
  cover: string
  /** `held` in ten thousandths of `required`; null where nothing is required. */
  ratioBp: number | null
  /** Own wallets that have signed; money in any other counts for nothing. */
  wallets: { address: Address; held: string }[]
  /** What `required` is made of. */
  owed: { leftovers: string; refunds: string; credited: string; prizes: string }
  /** The smallest `cover` after any transfer since the sale start; null before the first. */
  lowest: { cover: string; at: string; block: number; transactionHash: Hash } | null
  /** The transaction since which the cover has been below 0; null while it is not, and of what began before the sale start. */
  shortSince: { at: string; block: number; transactionHash: Hash } | null
  /** What one payer is owed without a ticket counts from this sum on. */
  dust: string
  /** Token prizes that the event promises, by place; '0' for goods. */
  promised: string[]
  /** What was sent out since the sale start, by class. */
  outflow: { refund: string; prize: string; own: string; other: string }
  /** Of class `other` the newest ten transfers and the largest ten, newest first: many small ones hide no large one. */
  others: { transactionHash: Hash; from: Address; to: Address; units: string; at: string }[]
  /** Whether opening + in - out is what the chain says the wallets hold. */
  equation: 'holds' | 'broken' | 'unknown'
}

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
