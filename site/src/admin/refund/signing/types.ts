import type { Address, Hash } from 'viem'
import type { RefundRow } from '../../../../../core/refund/rules.ts'
import type { Answer } from '../../../shell/answers.ts'

/** A row that was handed to this page: what to send, and the claim under which it was handed out. */
export type ClaimedRow = Answer<'post', '/api/admin/refunds/offer'>['rows'][number]

/** The API calls that signing needs; each rejects with the API's refusal. */
export type RefundApi = {
  /** Loads the rows that are not settled. */
  open: () => Promise<RefundRow[]>
  offer: (request: {
    ids: number[]
    wallet: Address
    nonce: number
    transactions: number
  }) => Promise<ClaimedRow[]>
  keep: (request: { rows: { id: number; revision: number }[]; nonce: number }) => Promise<void>
  sent: (ids: number[], transactionHash: Hash) => Promise<void>
  rejected: (rows: { id: number; revision: number }[]) => Promise<void>
}

/** How rows are sent, best first. */
export type SigningPath = 'batch' | 'disperse' | 'single'

/**
 * Outcome of a request. `rejected`: the user refused, nothing was sent. `unknown`: something may have been
 * sent, and it is not sent again before the chain shows the outcome.
 */
export type Outcome =
  | { kind: 'sent'; hash: Hash }
  | { kind: 'rejected' }
  | { kind: 'unknown'; error: unknown }
  | { kind: 'refused'; code: number }

export type Terms = {
  chainId: number
  token: Address
  wallet: Address
  disperseAddress: Address | null
}
