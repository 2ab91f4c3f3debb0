import type { Eip1193 } from '../../../wallet/eip1193.ts'
import type { Delivery } from './deliver.ts'
import type { Journal } from './journal.ts'
import type { Obstacle } from './preflight.ts'
import type { ClaimedRow, RefundApi, SigningPath, Terms } from './types.ts'

export type DeskState = {
  /** `wallet`: its answer is awaited. `chain`: rows are under way and nothing else can be sent. */
  phase: 'idle' | 'working' | 'wallet' | 'chain' | 'paused' | 'stopped' | 'done'
  path: SigningPath | undefined
  /** What the wallet asks its user to sign. */
  asks: 'allowance' | 'payment'
  /** `left`: open rows by the last answer of the server. `sent`: rows this run has sent. */
  left: number
  sent: number
  signatures: number
  /** The rows of the wallet's current request. */
  current: readonly ClaimedRow[]
  obstacles: readonly Obstacle[]
  /** `failed`: a call failed, see `error`. `no-register`: it was to be used, and the wallet's node does not have it. The others are no errors: outcomes of the wallet's request, or rows that wait. */
  problem: NonNullable<Delivery['stop']> | 'under-way' | 'not-offered' | 'no-register' | 'failed' | undefined
  error: unknown
  /** The run stops when the current request is answered. */
  isPausing: boolean
}

export type DeskDeps = {
  provider: Eip1193
  api: RefundApi
  terms: Terms
  journal: Journal
  onChange: (state: DeskState) => void
  /** Rows per request: as many as wallets accept, and as fit into a call of 12,000,000 gas. */
  sizes?: { batch?: number; register?: number }
  /** Replaces the best path; without the register it is not left for another one. */
  path?: SigningPath
  pollMs?: number
  keepMs?: number
  /** Polls without any change after which the run stops and a person must look at the wallet. */
  maxIdlePolls?: number
}
