import { isNotNull, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import type { Part } from '../../core/refund/books.ts'
import type { Db } from '../index.ts'
import { operatorWallets, payments, refundRowPayments, registerEntries } from '../schema/index.ts'
import type { Accounts, LoadedRow } from './accounts.ts'
import type { Fits } from './memory.ts'

/** What a wallet owes by a row and will never pay, and another one that may have paid it. */
type Handed = { row: LoadedRow; part: Part; by: Address }

/**
 * A payment folded anew, or a restored backup, does not say any more who took its debt over. The register's logs do: a
 * wallet has paid the debtor more than it owes him, behind the waiver of the one that owes it, or the key of that one
 * is lost. Hands over one payment of each debtor, first of a row that goes where that wallet paid; true if there was one.
 * Each payment is handed over so once at most, so it comes to an end.
 */
export async function takeOverAgain(
  tx: Db,
  { rows, accounts }: Pick<Accounts, 'rows' | 'accounts'>,
  fits: Fits,
): Promise<boolean> {
  const handed = rows.flatMap((row) =>
    (accounts.get(row.id)?.parts ?? []).flatMap((part): Handed[] =>
      part.due > 0n
        ? fits
            .aheadWallets({ ...part, debtor: row.payer })
            .flatMap((by) => (by === part.wallet ? [] : { row, part, by }))
        : [],
    ),
  )
  if (handed.length === 0) return false
  const lost = await tx
    .select({ address: operatorWallets.address })
    .from(operatorWallets)
    .where(isNotNull(operatorWallets.lostAt))
  const isLost = new Set<Address>(lost.map(({ address }) => address))
  const found: (Handed & { isHere: boolean })[] = []
  for (const one of handed) {
    const { part, row } = one
    const isWaived = fits.of({ ...part, debtor: row.payer }).isWaived
    const isHere =
      isWaived || isLost.has(part.wallet) ? await paysHere(tx, one, isLost.has(part.wallet)) : null
    if (isHere !== null) found.push({ ...one, isHere })
  }
  let hasMoved = false
  for (const ofDebtor of Map.groupBy(found, ({ row, part }) => `${row.payer} ${part.token}`).values()) {
    const [first] = ofDebtor.sort((a, b) => Number(b.isHere) - Number(a.isHere)) as [(typeof found)[number]]
    const alike = ofDebtor.filter(
      ({ part, by, isHere }) =>
        part.wallet === first.part.wallet && by === first.by && isHere === first.isHere,
    )
    hasMoved =
      (await handOldest(
        tx,
        alike.map(({ row }) => row.id),
        first,
      )) || hasMoved
  }
  return hasMoved
}

/** One payment after the other until the register is not ahead any more: a row may hold later ones as well. */
async function handOldest(tx: Db, rowIds: readonly number[], { part, by }: Handed): Promise<boolean> {
  const moved = await tx.execute(sql`
    update ${refundRowPayments} set paid_by = ${by} where (row_id, payment_id) = (
      select l.row_id, l.payment_id from ${refundRowPayments} l join ${payments} p on p.id = l.payment_id
      where l.row_id = any(${sql.param(rowIds.map(String))}::text[]::bigint[]) and l.is_live
        and l.paid_by is null and p.wallet = ${part.wallet}
      order by p.block_number, p.transaction_index, p.first_log_index limit 1)
    returning payment_id`)
  return moved.length > 0
}

/** Whether the wallet has paid the debtor at the row's address; null if it has not paid since the waiver. */
async function paysHere(tx: Db, { row, part, by }: Handed, isLost: boolean): Promise<boolean | null> {
  // What was paid elsewhere is not paid any more, like what was waived.
  const named = sql.param([row.payer, row.recipient, ...row.named.keys()])
  const ofDebtor = sql`e.debtor = ${row.payer} and e.token = ${part.token} and not e.is_gone`
  const [found] = await tx.execute<{ here: boolean | null }>(sql`
    select bool_or(e.payee = ${row.recipient}) as here from ${registerEntries} e
    where ${ofDebtor} and e.wallet = ${by} and e.kind = 'paid' and (${isLost} or e.block_number >= (
      select min(e.block_number) from ${registerEntries} e
      where ${ofDebtor} and e.wallet = ${part.wallet} and (e.kind = 'waived' or e.payee <> all(${named}::text[]))))`)
  return found?.here ?? null
}
