import type { Address, Hash } from 'viem'
import type { RefundRow } from '../../../../../core/refund/rules.ts'
import type { RegisterOffer } from '../../../../../core/refund/safe-file.ts'
import type { Answer } from '../../../shell/answers.ts'

/** A row that was handed to this page: what to send, and the claim under which it was handed out. */
export type ClaimedRow = Answer<'post', '/api/admin/refunds/offer'>['rows'][number]

export type Offer = {
  rows: ClaimedRow[]
  /** Null for rows that go as transfers. */
  register: RegisterOffer | null
}

/** The API calls that signing needs; each rejects with the API's refusal. */
export type RefundApi = {
  /** Loads the rows that are not settled. */
  open: () => Promise<RefundRow[]>
  offer: (request: {
    ids: number[]
    wallet: Address
    nonce: number
    transactions: number
    path: 'register' | 'transfers'
  }) => Promise<Offer>
  keep: (request: { rows: { id: number; revision: number }[]; nonce: number }) => Promise<void>
  sent: (ids: number[], transactionHash: Hash) => Promise<void>
  /** Notes the id under which the wallet has taken a batch. */
  bundled: (ids: number[], bundle: string) => Promise<void>
  /** Batches that this wallet has taken, from whatever page, and of which no transaction is known. */
  bundles: (wallet: Address) => Promise<{ ids: number[]; bundle: string }[]>
  rejected: (rows: { id: number; revision: number }[]) => Promise<void>
}

/** How rows are sent, best first. */
export type SigningPath = 'register' | 'batch' | 'single'

/**
 * Outcome of a request. `rejected`: the user refused, nothing was sent. `unknown`: something may have been
 * sent, and it is not sent again before the chain shows the outcome.
 */
export type Outcome =
  | { kind: 'sent'; hash: Hash }
  | { kind: 'rejected' }
  | { kind: 'unknown'; error: unknown }

export type Terms = { chainId: number; token: Address; wallet: Address }
