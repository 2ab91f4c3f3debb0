import type { Address, Hash } from 'viem'
import type { RefundRow } from '../../../../../core/refund/rules.ts'
import type { Answer } from '../../../shell/answers.ts'

/** A row that was handed to this page: what to send, and the claim under which it was handed out. */
export type ClaimedRow = Answer<'post', '/api/admin/refunds/offer'>['rows'][number]

/** The calls of the administrator area that signing needs; each rejects as the API refuses. */
export type RefundApi = {
  /** `execute-refund` again, or what it answered: rows that are not done. */
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

/** How the rows go out, best first. */
export type SigningPath = 'batch' | 'disperse' | 'single'

/**
 * What became of a request. `rejected`: the person said no, nothing was sent. `unknown`: something may have
 * been sent; the chain will tell, and nobody sends it again before.
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
