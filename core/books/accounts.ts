import type { Address, Hash } from 'viem'
import type { PaymentReason } from '../payment/payment.ts'

/** The accounts of the journal, by their numbers: 1 assets, 2 liabilities, 3 equity, 4 revenue, 5 costs. */
export const accountNumbers = {
  /** USDT in a wallet of the operator's, each wallet by itself, from its opening on. */
  wallet: 1000,
  /** What one own wallet sent to another. Not zero where the other one is not in these books. */
  between: 1900,
  /** Paid for tickets of events that are not drawn. */
  tickets: 2100,
  /** Paid without a ticket, and owed back. */
  leftovers: 2200,
  /** Paid for tickets of events in refund mode. */
  refunds: 2300,
  /** What came from, and went to, somebody else for no reason that these books know. */
  owner: 3000,
  /** What the wallets held when they were opened, less what was owed of it then. */
  opening: 3900,
  /** Paid for tickets of drawn events. */
  revenue: 4000,
  /** Token prizes, when they are paid. */
  prizes: 5000,
} as const
export type Account = keyof typeof accountNumbers

export const postingKinds = [
  ...(['forward', 'opening', 'tickets', 'leftover', 'draw', 'refund_mode', 'refund'] as const),
  ...(['prize', 'own', 'other', 'correction', 'end'] as const),
] as const
export type PostingKind = (typeof postingKinds)[number]

/** An account by wallet or event, where it is kept so. */
export type Ledger = { account: Account; wallet: Address | null; eventNumber: number | null }

/** One line: a debit is above zero, a credit below. */
export type Posting = Ledger & {
  kind: PostingKind
  units: bigint
  /** Whose money it was or became. */
  counterparty: Address | null
  /** Why a payment has no ticket. */
  reason: PaymentReason | null
}

/** What happened at once; its postings add up to zero. Seconds; no transaction of what a block or the clock brought about. */
export type Entry = {
  at: number
  block: bigint | null
  transactionHash: Hash | null
  postings: Posting[]
}

/** What stands in the accounts. */
export function openBalances() {
  const kept = new Map<string, Ledger & { units: bigint }>()
  return {
    /** Returns what stands there then. */
    add({ account, wallet, eventNumber }: Ledger, units: bigint): bigint {
      const key = `${account} ${wallet} ${eventNumber}`
      const sum = (kept.get(key)?.units ?? 0n) + units
      kept.set(key, { account, wallet, eventNumber, units: sum })
      return sum
    },
    /** What is not zero, in the order of the accounts. */
    all: (): (Ledger & { units: bigint })[] =>
      [...kept.values()]
        .filter(({ units }) => units !== 0n)
        .sort(
          (a, b) =>
            accountNumbers[a.account] - accountNumbers[b.account] ||
            (a.eventNumber ?? 0) - (b.eventNumber ?? 0) ||
            (`${a.wallet}` < `${b.wallet}` ? -1 : 1),
        ),
  }
}
export type Balances = ReturnType<typeof openBalances>
