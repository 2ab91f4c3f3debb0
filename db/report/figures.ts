import { sql } from 'drizzle-orm'
import type { AnchorKeyReport } from '../../core/draw/anchor-key.ts'
import type { PublicSolvency } from '../../core/live/solvency.ts'
import type { Db } from '../index.ts'
import { oldestUnsentSeconds } from '../notify/deliveries.ts'
import { loadSolvency } from '../refund/solvency.ts'
import { readNodeWatch } from './node-watch.ts'
import { readAnchorKey } from './reports.ts'

/** States of the open event, in this order; an event never returns to an earlier one. */
export const eventStates = ['open', 'ended', 'frozen', 'drawn', 'refund'] as const
export type EventState = (typeof eventStates)[number]

export type Figures = {
  event: {
    state: EventState
    ticketsSold: number
    hasWallet: boolean
    isWalletProven: boolean
    isHalted: boolean
    /** Blocks of its sale could not be read twice, or its ledger was frozen without that. */
    isUnreadTwice: boolean
    /** Seconds since the draw date without a draw, refund mode or empty sale; else 0. */
    drawOverdueSeconds: number
  } | null
  /** Ages in seconds by the database's clock: of the folded block, the last fold, the newest block seen. */
  scan: { height: number; lagSeconds: number; idleSeconds: number; newestAgeSeconds: number | null } | null
  /** Unresolved claims, and how long the oldest has waited. */
  claims: { received: number; confirming: number; oldestSeconds: number }
  /** Payments of the open event or without an event; `reason` is empty for credited ones. */
  payments: { status: string; reason: string; count: number }[]
  solvency: PublicSolvency
  /** The key in ANCHOR_KEY as a worker last saw it. */
  anchorKey: AnchorKeyReport | null
  /** How long payments have waited for a second node; 0 while two answer. */
  nodesWaitingSeconds: number
  /** How long the oldest message of a channel has waited to be received; 0 without one. */
  unsentSeconds: number
  /** This machine's clock less the database's, to half the time that the question took. */
  clockOffsetSeconds: number
}

/** Metrics read from the database. Takes some milliseconds each: call it now and then, not per visitor. */
export async function readFigures(db: Db): Promise<Figures> {
  const [event] = await db.execute<{
    state: EventState
    tickets: number
    wallet: boolean
    proven: boolean
    halted: boolean
    unread: boolean
    overdue: string
  }>(sql`
    select case when o.kind = 'refunds' then 'refund' when o.kind = 'drawn' then 'drawn'
        when frozen_at is not null then 'frozen' when sale_end <= now() then 'ended' else 'open' end as state,
      e.tickets_sold as tickets, operator_wallet is not null as wallet, wallet_proven_at is not null as proven,
      halted_at is not null as halted,
      (frozen_at is not null and not exists (select 1 from second_reading s
        where s.event_number = e.number and s.block_time >= e.sale_end)) or exists (select 1 from second_reading s
        where s.event_number = e.number and s.failed_at is not null and e.frozen_at is null) as unread,
      case when draw_date <= now() and o.event_number is null and e.tickets_sold > 0
        then extract(epoch from now() - draw_date) else 0 end as overdue
    from events e left join endings o on o.event_number = e.number where archived_at is null`)
  const [scan] = await db.execute<{ height: string; lag: string; idle: string; newest: string | null }>(sql`
    select height, extract(epoch from now() - block_time) as lag, extract(epoch from now() - updated_at) as idle,
      extract(epoch from now() - newest_block_time) as newest from scan_cursor`)
  const [claims] = await db.execute<{ received: number; confirming: number; oldest: string | null }>(sql`
    select count(*) filter (where status = 'received')::int as received,
      count(*) filter (where status = 'confirming')::int as confirming,
      extract(epoch from now() - min(created_at)) as oldest
    from claims where next_attempt_at is not null`)
  const payments = await db.execute<{ status: string; reason: string; count: number }>(sql`
    select status, coalesce(reason, '') as reason, count(*)::int as count from payments
    where event_number is null or event_number = (select number from events where archived_at is null)
    group by 1, 2 order by 1, 2`)
  return {
    event: event
      ? {
          state: event.state,
          ticketsSold: event.tickets,
          hasWallet: event.wallet,
          isWalletProven: event.proven,
          isHalted: event.halted,
          isUnreadTwice: event.unread === true,
          drawOverdueSeconds: Number(event.overdue),
        }
      : null,
    scan: scan
      ? {
          height: Number(scan.height),
          lagSeconds: Number(scan.lag),
          idleSeconds: Number(scan.idle),
          newestAgeSeconds: scan.newest === null ? null : Number(scan.newest),
        }
      : null,
    claims: {
      received: claims?.received ?? 0,
      confirming: claims?.confirming ?? 0,
      oldestSeconds: Number(claims?.oldest ?? 0),
    },
    payments: payments.map(({ status, reason, count }) => ({ status, reason, count })),
    solvency: await loadSolvency(db),
    anchorKey: (await readAnchorKey(db))?.facts ?? null,
    nodesWaitingSeconds: (await readNodeWatch(db)).waitingSeconds ?? 0,
    unsentSeconds: await oldestUnsentSeconds(db),
    clockOffsetSeconds: await readClockOffset(db),
  }
}

async function readClockOffset(db: Db): Promise<number> {
  const before = Date.now()
  const [row] = await db.execute<{ now: string }>(sql`select extract(epoch from clock_timestamp()) as now`)
  return (before + Date.now()) / 2_000 - Number(row?.now)
}
