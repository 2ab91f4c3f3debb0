import { type SQL, sql } from 'drizzle-orm'
import { mostTickets } from '../../core/money.ts'
import { zeroAddress } from '../../core/payment/judge.ts'
import type { RefundKind } from '../../core/refund/rules.ts'
import { draws, events, operatorWallets, payments, secondReading } from '../schema/index.ts'

/**
 * Whether a payment without a ticket may still get some, as the room that it lacked depends on payments before it: one that
 * both the scan and its endpoints had missed moves it. Until the second reading has passed its block, or its list never
 * changes again, its money does not go back, else somebody would have his money and his tickets. Every other reason follows from the
 * payment and its event alone, and so does that of more tickets than any cap allows. In SQL, of a payment `p`, its event `e`, a draw `d` and the second reading `s` of it.
 */
const isUnread = sql`(p.reason in ('over_cap', 'held')
  and div(p.units, e.ticket_price) between 1 and least(e.max_tickets, e.max_per_wallet, ${mostTickets}::int)
  and e.archived_at is null and e.refund_mode_at is null and d.event_number is null
  and (e.frozen_at is null or e.second_reading is not true)
  and (s.height is null or s.height < p.block_number))`

/**
 * The payments that are somebody's money: not new money of the token and not the operator's, moved between wallets of
 * his own. Other money that is `held` belongs to its payer, also that of a wallet which only stood in an event and never
 * signed: an operator can name a stranger's. The one unit of a claim on chain was meant to be given. `is_former`: paid in another token than the event has now; no row holds two
 * tokens. `is_unread`: it may still get tickets.
 *
 * Joins and plain conditions, as the planner takes a correlated subselect for costly and its result for rare, and then
 * looks at every row of a batch once for each payment.
 */
const everybodysMoney = sql`(
  select p.*, coalesce(p.token <> e.token, false) as is_former, e.refund_mode_at is not null as is_refund_mode,
    coalesce(${isUnread}, false) as is_unread
  from ${payments} p left join ${events} e on e.number = p.event_number
  left join ${draws} d on d.event_number = e.number
  left join ${secondReading} s on s.event_number = e.number
  left join ${operatorWallets} own on own.address = p.payer and own.proven_since <= p.block_time
  where p.reason is distinct from 'claim' and (p.reason is distinct from 'held' or (p.payer not in (${zeroAddress}, p.wallet) and own.address is null)))`

/**
 * Payments that a kind of batch may give back, as a table. What came before it could be meant for the raffle
 * (`early`) is no debt: it is never in an event's batch, and a leftover batch holds it for a decision.
 */
export const debtsOf = (kind: RefundKind): SQL =>
  kind === 'event'
    ? sql`(select * from ${everybodysMoney} p where p.reason is distinct from 'early' and not p.is_former)`
    : everybodysMoney

/**
 * Whether a new batch takes the payment, as a `p` of debtsOf. For leftovers it has no ticket and gets none any more; in refund mode it goes back
 * with all the rest, but for what is `early` or in a former token.
 */
export const isFor = (kind: RefundKind): SQL =>
  kind === 'event'
    ? sql`true`
    : sql`(p.status = 'rejected' and not p.is_unread and (p.reason = 'early' or p.is_former or not p.is_refund_mode))`
