import { and, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import { oldestFirst } from '../../core/refund/accounts.ts'
import { smaller } from '../../core/refund/allocate.ts'
import type { Part } from '../../core/refund/books.ts'
import type { Db } from '../index.ts'
import { operatorWallets, refundRowPayments, registerEntries } from '../schema/index.ts'
import type { Accounts, LoadedRow } from './accounts.ts'
import type { Fits } from './memory.ts'

/** What a wallet owes by a row and will never pay, and another one that may have paid it. */
type Handed = { row: LoadedRow; part: Part; by: Address }
/** How much of it was waived, null for all, and whether the other wallet has paid where the row goes. */
type Found = Handed & { waived: bigint | null; isHere: boolean }

/**
 * A payment folded anew, or a restored backup, does not say any more who took its debt over. The register's logs do: a
 * wallet has paid the debtor more than it owes him, behind the waiver of the one that owes it, or the key of that one
 * is lost. What was waived may be a part of what that one owes: he may have paid again since. Hands over payments of
 * each debtor, first of rows that go where that wallet paid; true if there was one. Each payment is handed over so once at
 * most, so it comes to an end.
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
  const found: Found[] = []
  for (const one of handed) {
    const { part, row } = one
    const fit = fits.of({ ...part, debtor: row.payer })
    const waived = isLost.has(part.wallet) ? null : fit.waived
    const isHere = waived !== 0n ? await paysHere(tx, one, isLost.has(part.wallet)) : null
    if (isHere !== null) found.push({ ...one, waived, isHere })
  }
  let hasMoved = false
  for (const ofDebtor of Map.groupBy(found, ({ row, part }) => `${row.payer} ${part.token}`).values()) {
    const [first] = ofDebtor.sort((a, b) => Number(b.isHere) - Number(a.isHere)) as [Found]
    const alike = ofDebtor.filter(
      ({ part, by, isHere }) =>
        part.wallet === first.part.wallet && by === first.by && isHere === first.isHere,
    )
    const { ahead } = fits.of({ ...first.part, wallet: first.by, debtor: first.row.payer })
    if (await handOldest(tx, alike, ahead)) hasMoved = true
  }
  return hasMoved
}

/**
 * One payment after the other until the register is not ahead any more: a row may hold later ones as well. None of which
 * more is due than was waived: the register may still pay the rest for the wallet that owes it. What is done needs nobody.
 */
async function handOldest(tx: Db, alike: readonly Found[], ahead: bigint): Promise<boolean> {
  const [first] = alike as [Found]
  let [left, waived] = [ahead, first.waived]
  const taken: number[] = []
  for (const { paymentId, units } of alike.flatMap(({ part }) => part.open).sort(oldestFirst)) {
    if (left === 0n || (waived !== null && units > waived)) continue
    taken.push(paymentId)
    left -= smaller(units, left)
    if (waived !== null) waived -= units
  }
  if (taken.length === 0) return false
  const moved = await tx
    .update(refundRowPayments)
    .set({ paidBy: first.by })
    .where(
      and(
        inArray(refundRowPayments.paymentId, taken),
        refundRowPayments.isLive,
        isNull(refundRowPayments.paidBy),
      ),
    )
    .returning({ id: refundRowPayments.paymentId })
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
