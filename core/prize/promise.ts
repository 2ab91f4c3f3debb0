import type { Address, Hash } from 'viem'
import { centsOf } from '../money.ts'

/** What an event promises one winner. */
export type PrizePromise = {
  kind: PrizeKind
  /** Whole units of the token as decimal text; null for goods. */
  units: string | null
}

export const goods: PrizePromise = { kind: 'goods', units: null }
/** Hundredths of a USDT: ten billion USDT. */
export const mostPrizeCents = 1_000_000_000_000

/** What each of the winners is promised, in order: goods where nothing else was chosen. */
export const promisesOf = (event: { prizes: readonly PrizePromise[]; winners: number }): PrizePromise[] =>
  Array.from({ length: event.winners }, (_, index) => event.prizes[index] ?? goods)

export const formOf = ({ kind, units }: PrizePromise) => ({
  kind,
  amount: units === null ? null : Number(centsOf(BigInt(units))),
})

export type PrizeKind = 'token' | 'goods'
/** `due` is a token prize's, and `unclaimed` to `delivered` are those of goods; both are `sent`. */
export type PrizeState = 'due' | 'unclaimed' | 'claimed' | 'sent' | 'delivered'
/** What an administrator says of goods; `corrected`: what was said to be sent was not. */
export type PrizeAct = 'sent' | 'corrected' | 'delivered'

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

export type PublicPrize = PrizePromise & {
  eventNumber: number
  /** 1..`winners`. */
  place: number
  state: PrizeState
  /** Whose it is: the winner, or the reserve whose turn it is; null when all turns went by. */
  holder: { kind: 'winner' | 'reserve'; place: number; walletAddress: Address } | null
  /** Until when the holder may claim; null for a token prize, and once it is claimed or all turns went by. */
  claimBy: string | null
  steps: PublicPrizeStep[]
}
