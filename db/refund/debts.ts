import { type SQL, sql } from 'drizzle-orm'
import { zeroAddress } from '../../core/judge.ts'
import type { RefundKind } from '../../core/refund/rules.ts'
import { events, operatorWallets } from '../schema/index.ts'

/**
 * Which payments, as `p`, are somebody's money: not new money of the token and not the operator's, moved between
 * wallets of his own. Other money that is `held` belongs to its payer.
 */
const isSomebodys = sql`(p.reason is distinct from 'held' or not (
  p.payer in (${zeroAddress}, p.wallet) or exists (
    select 1 from ${operatorWallets} w where w.address = p.payer and w.own_since <= p.block_time)))`

/**
 * Payments, as `p`, that a kind of batch may give back. What came before it could be meant for the raffle
 * (`early`) is no debt: it is never in an event's batch, and a leftover batch holds it for a decision.
 */
export const isDebt = (kind: RefundKind): SQL =>
  kind === 'event' ? sql`(${isSomebodys} and p.reason is distinct from 'early')` : isSomebodys

/** Money, as `p`, without tickets; in refund mode it goes back with all the rest, but for what is `early`. */
export const isLeftover = sql`(p.status = 'rejected' and (p.reason = 'early' or not exists (
  select 1 from ${events} e where e.number = p.event_number and e.refund_mode_at is not null)))`
