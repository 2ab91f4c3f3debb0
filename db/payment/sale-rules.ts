import { asc, eq, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import { reservesDrawn } from '../../core/draw/winners.ts'
import type { SaleRules, SaleTerms } from '../../core/payment/judge.ts'
import { getOurWallets } from '../event/own-wallets.ts'
import { firstSaleStart } from '../event/reread.ts'
import type { Db } from '../index.ts'
import { draws, events, payments, prizes } from '../schema/index.ts'

/** All that decides about payments: the terms of every event that has a wallet, and our wallets. */
export async function getSaleRules(db: Db): Promise<SaleRules> {
  const rows = await db
    .select({ event: events, drawn: draws.eventNumber })
    .from(events)
    .leftJoin(draws, eq(draws.eventNumber, events.number))
    .orderBy(asc(events.number))
  const claims = await claimWindows(db)
  return {
    events: rows.flatMap(({ event, drawn }) =>
      event.operatorWallet
        ? {
            number: event.number,
            operatorWallet: event.operatorWallet,
            ticketPrice: event.ticketPrice,
            saleStart: event.saleStart.getTime() / 1000,
            saleEnd: event.saleEnd && event.saleEnd.getTime() / 1000,
            isClosed: event.frozenAt !== null || event.archivedAt !== null || drawn !== null,
            ...{ maxTickets: event.maxTickets, maxPerWallet: event.maxPerWallet },
            claims: claims.get(event.number),
          }
        : [],
    ),
    wallets: await getOurWallets(db),
    firstSaleStart: await movedFirstStart(db),
  }
}

async function movedFirstStart(db: Db): Promise<number | undefined> {
  const start = await firstSaleStart(db)
  return start && start.getTime() / 1000
}

/** From the draw until the last turn that there can be is over, whoever's turn it is: what each claim says follows from the turns. */
async function claimWindows(db: Db): Promise<Map<number, SaleTerms['claims']>> {
  const rows = await db.execute<{ number: number; from: number; until: number; wallets: Address[] }>(sql`
    select e.number, extract(epoch from p.drawn_at)::int as "from",
      (extract(epoch from p.drawn_at) + 86400 * e.claim_days * ${reservesDrawn + 1}::int)::int as until,
      array_agg(x.payer) as wallets
    from ${prizes} p join ${events} e on e.number = p.event_number join ${draws} d on d.event_number = e.number
    cross join lateral jsonb_array_elements(d.winners || d.reserves) as drawn
    join ${payments} x on x.id = (drawn ->> 'payment')::bigint
    where p.place = 1 group by e.number, p.drawn_at, e.claim_days`)
  return new Map(
    rows.map(({ number, from, until, wallets }) => [number, { from, until, wallets: new Set(wallets) }]),
  )
}
