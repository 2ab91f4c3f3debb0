import { and, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import { oldestFirst } from '../../core/refund/accounts.ts'
import type { Part } from '../../core/refund/books.ts'
import { coverOf } from '../../core/refund/cover.ts'
import type { Db } from '../index.ts'
import { operatorWallets, refundRowPayments, registerEntries } from '../schema/index.ts'
import type { Accounts, LoadedRow } from './accounts.ts'
import type { Fits } from './memory.ts'

/** What a wallet owes by a row and will never pay, and another one that may have paid it. */
type Handed = { row: LoadedRow; part: Part; by: Address }
/**
 * How much of it was waived, null for all, whether the other wallet has paid anything behind that, and whether where the
 * row goes.
 */
type Found = Handed & { waived: bigint | null; isBehind: boolean; isHere: boolean }

/**
 * A payment folded anew, or a restored backup, does not say any more who took its debt over. The register's logs do: a
 * wallet has paid the debtor more than it owes him, behind the waiver of the one that owes it, or the key of that one
 * is lost. What was waived may be a part of what that one owes: he may have paid again since. Hands over payments of
 * each debtor, first of rows that go where that wallet paid; true if there was one. Each payment is handed over so once at
 * most, so it comes to an end. Of two wallets that have taken over from each other, the first that waived seems to have paid its
 * own debts, and a third, which paid those, what was waived only later: that will not be paid by anybody else either.
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
    if (waived !== 0n) found.push({ ...one, waived, ...(await paidBy(tx, one, isLost.has(part.wallet))) })
  }
  let hasMoved = false
  for (const ofDebtor of Map.groupBy(found, ({ row, part }) => `${row.payer} ${part.token}`).values()) {
    const groups = Map.groupBy(
      ofDebtor.sort((a, b) => Number(b.isBehind) - Number(a.isBehind) || Number(b.isHere) - Number(a.isHere)),
      ({ part, by, isBehind, isHere }) => `${part.wallet} ${by} ${isBehind} ${isHere}`,
    )
    for (const alike of groups.values()) {
      const [{ part, by, row }] = alike as [Found]
      const { ahead } = fits.of({ ...part, wallet: by, debtor: row.payer })
      if (!(await handOver(tx, alike, ahead))) continue
      hasMoved = true
      break
    }
  }
  return hasMoved
}

/**
 * As many payments as the register is ahead by: a row may hold others as well. None of which more is due than was waived:
 * the register may still pay the rest for the wallet that owes it. What is done needs nobody.
 */
async function handOver(tx: Db, alike: readonly Found[], ahead: bigint): Promise<boolean> {
  const [first] = alike as [Found]
  const open = alike.flatMap(({ part }) => part.open).sort(oldestFirst)
  const taken = coverOf(open, ahead, first.waived).map(({ paymentId }) => paymentId)
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

/** Of the payments of the wallet those behind the waiver count first. */
async function paidBy(
  tx: Db,
  { row, part, by }: Handed,
  isLost: boolean,
): Promise<Pick<Found, 'isBehind' | 'isHere'>> {
  // What was paid elsewhere is not paid any more, like what was waived.
  const named = sql.param([row.payer, row.recipient, ...row.named.keys()])
  const ofDebtor = sql`e.debtor = ${row.payer} and e.token = ${part.token} and not e.is_gone`
  const paid = await tx.execute<{ isBehind: boolean; isHere: boolean }>(sql`
    select distinct e.payee = ${row.recipient} as "isHere", coalesce(${isLost} or e.block_number >= (
      select min(e.block_number) from ${registerEntries} e
      where ${ofDebtor} and e.wallet = ${part.wallet} and (e.kind = 'waived' or e.payee <> all(${named}::text[]))),
      false) as "isBehind"
    from ${registerEntries} e where ${ofDebtor} and e.wallet = ${by} and e.kind = 'paid'`)
  const isBehind = paid.some((one) => one.isBehind)
  return { isBehind, isHere: paid.some((one) => one.isHere && one.isBehind === isBehind) }
}
