import { asc, eq } from 'drizzle-orm'
import type { SaleRules } from '../../core/judge.ts'
import { getOurWallets } from '../event/own-wallets.ts'
import { firstSaleStart } from '../event/reread.ts'
import type { Db } from '../index.ts'
import { draws, events } from '../schema/index.ts'

/** All that decides about payments: the terms of every event that has a wallet, and our wallets. */
export async function getSaleRules(db: Db): Promise<SaleRules> {
  const rows = await db
    .select({ event: events, drawn: draws.eventNumber })
    .from(events)
    .leftJoin(draws, eq(draws.eventNumber, events.number))
    .orderBy(asc(events.number))
  return {
    events: rows.flatMap(({ event, drawn }) =>
      event.operatorWallet
        ? {
            number: event.number,
            operatorWallet: event.operatorWallet,
            ticketPrice: event.ticketPrice,
            saleStart: event.saleStart.getTime() / 1000,
            saleEnd: event.saleEnd && event.saleEnd.getTime() / 1000,
            isClosed: event.archivedAt !== null || drawn !== null,
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
