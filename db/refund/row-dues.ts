import { eq, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import type { Db } from '../index.ts'
import {
  events,
  payments,
  refundBatches,
  refundRowPayments,
  refundRows,
  registerEntries,
} from '../schema/index.ts'
import { loadAccounts, payersWithTransfers } from './accounts.ts'
import { loadFits } from './memory.ts'
import { lostWallets } from './own-wallets.ts'
import { mayHavePaid, unheardWallets } from './unheard.ts'
import { unreadRows } from './unread.ts'

/** What a wallet still owes by a row; `isLeft` where it will never pay it, so that any other one may. */
export type RowDue = { wallet: Address; units: bigint; isLeft: boolean }

/**
 * Who still owes what by the rows of an event, in the event's token and without rows that are held or wait for the second reading. Only payers who have
 * received something, or whose debts were waived, need their books; to all others the whole is due.
 */
export async function rowDues(db: Db, eventNumber: number): Promise<Map<number, RowDue[]>> {
  const unheard = await unheardWallets(db)
  const lost = await lostWallets(db)
  const isLeft = (owner: Address, isWaived: boolean, isElsewhere: boolean) => {
    if (!isWaived && !lost.has(owner)) return false
    const calls = mayHavePaid(unheard, { owner, isWaived: isWaived && !isElsewhere })
    // The only one that may have such a call pays by raising its total.
    return calls.length === 0 || (calls.length === 1 && calls[0] !== owner)
  }
  const unread = sql.param([...(await unreadRows(db))].map(String))
  const known = sql`${sql.param([...(await payersWithTransfers(db)), ...(await waivedDebtors(db))])}::text[]`
  const open = sql`${refundBatches.eventNumber} = ${eventNumber} and ${refundRows.state} <> 'settled'
    and (${refundRows.hold} is null or ${refundRows.releasedAt} is not null)
    and not ${refundRows.id} = any(${unread}::text[]::bigint[])`
  const whole = await db.execute<{ id: string; wallet: Address; units: string }>(sql`
    select ${refundRows.id}::text as id, coalesce(l.paid_by, p.wallet) as wallet, sum(p.units)::text as units
    from ${refundRows} join ${refundBatches} on ${refundBatches.id} = ${refundRows.batchId}
    join ${events} e on e.number = ${refundBatches.eventNumber}
    join ${refundRowPayments} l on l.row_id = ${refundRows.id} and l.is_live
    join ${payments} p on p.id = l.payment_id and coalesce(p.token, e.token) = e.token
    where ${open} and not ${refundRows.payer} = any(${known}) group by 1, 2`)
  const dues = new Map<number, RowDue[]>()
  const add = (id: number, due: RowDue) => {
    if (due.units > 0n) dues.set(id, [...(dues.get(id) ?? []), due])
  }
  for (const { id, wallet, units } of whole)
    add(Number(id), { wallet, units: BigInt(units), isLeft: isLeft(wallet, false, false) })
  const rows = await db
    .select({ id: refundRows.id, payer: refundRows.payer, token: events.token })
    .from(refundRows)
    .innerJoin(refundBatches, eq(refundBatches.id, refundRows.batchId))
    .innerJoin(events, eq(events.number, refundBatches.eventNumber))
    .where(sql`${open} and ${refundRows.payer} = any(${known})`)
  const books = await loadAccounts(db, [...new Set(rows.map(({ payer }) => payer))])
  const fits = await loadFits(db, books)
  for (const { id, payer: debtor, token } of rows)
    for (const part of books.accounts.get(id)?.parts ?? [])
      if (part.token === token)
        add(id, {
          ...{ wallet: part.wallet, units: part.due },
          isLeft: isLeft(
            part.wallet,
            fits.of({ ...part, debtor }).isWaived,
            fits.isElsewhere({ ...part, debtor }),
          ),
        })
  return dues
}

async function waivedDebtors(db: Db): Promise<Address[]> {
  const found = await db
    .selectDistinctOn([registerEntries.debtor], { debtor: registerEntries.debtor })
    .from(registerEntries)
    .where(sql`${registerEntries.kind} = 'waived' and not ${registerEntries.isGone}`)
  return found.map(({ debtor }) => debtor)
}
