import { type SQL, sql } from 'drizzle-orm'
import { zeroAddress } from '../../core/judge.ts'
import type { RefundKind } from '../../core/refund/rules.ts'
import { events, operatorWallets, payments } from '../schema/index.ts'

/**
 * The payments that are somebody's money: not new money of the token and not the operator's, moved between wallets of
 * his own. Other money that is `held` belongs to its payer, also that of a wallet which only stood in an event and never
 * signed: an operator can name a stranger's. `is_former`: paid in another token than the event has now; no row holds two
 * tokens.
 *
 * Joins and plain conditions, as the planner takes a correlated subselect for costly and its result for rare, and then
 * looks at every row of a batch once for each payment.
 */
const everybodysMoney = sql`(
  select p.*, coalesce(p.token <> e.token, false) as is_former, e.refund_mode_at is not null as is_refund_mode
  from ${payments} p left join ${events} e on e.number = p.event_number
  left join ${operatorWallets} own on own.address = p.payer and own.proven_since <= p.block_time
  where p.reason is distinct from 'held' or (p.payer not in (${zeroAddress}, p.wallet) and own.address is null))`

/**
 * Payments that a kind of batch may give back, as a table. What came before it could be meant for the raffle
 * (`early`) is no debt: it is never in an event's batch, and a leftover batch holds it for a decision.
 */
export const debtsOf = (kind: RefundKind): SQL =>
  kind === 'event'
    ? sql`(select * from ${everybodysMoney} p where p.reason is distinct from 'early' and not p.is_former)`
    : everybodysMoney

/**
 * Whether a new batch takes the payment, as a `p` of debtsOf. For leftovers it has no ticket; in refund mode it goes back
 * with all the rest, but for what is `early` or in a former token.
 */
export const isFor = (kind: RefundKind): SQL =>
  kind === 'event'
    ? sql`true`
    : sql`(p.status = 'rejected' and (p.reason = 'early' or p.is_former or not p.is_refund_mode))`
