import { and, eq, inArray, isNotNull, isNull } from 'drizzle-orm'
import type { Address, Hash, Hex } from 'viem'
import { word } from '../../core/chain/calldata.ts'
import { paysRow } from '../../core/refund/nonce.ts'
import type { Db } from '../index.ts'
import { refundRows } from '../schema/index.ts'
import { lockRefunds, type StoredRow } from './accounts.ts'

/** Reported transactions of rows in flight of which no node has told the nonce yet. */
export async function unseenHashes(db: Db): Promise<Hash[]> {
  const rows = await db
    .selectDistinctOn([refundRows.transactionHash], { hash: refundRows.transactionHash })
    .from(refundRows)
    .where(
      and(
        isNotNull(refundRows.offeredAt),
        isNotNull(refundRows.offeredWallet),
        isNotNull(refundRows.transactionHash),
        isNull(refundRows.transactionNonce),
      ),
    )
  return rows.flatMap(({ hash }) => hash ?? [])
}

/** A transaction as its sender signed it. */
export type SeenTransaction = { hash: Hash; from: Address; nonce: number; input: Hex }

/**
 * The chain knows a reported transaction: its nonce is that of the rows which its sender was offered and which it pays.
 * For any other row that names it, it is the hash of something else. It takes the lock of the books, as it writes several
 * rows.
 */
export async function noteSeen(db: Db, seen: SeenTransaction): Promise<void> {
  const { hash, from, nonce } = seen
  await db.transaction(async (tx) => {
    await lockRefunds(tx)
    const rows = await tx
      .select()
      .from(refundRows)
      .where(
        and(
          eq(refundRows.transactionHash, hash),
          eq(refundRows.offeredWallet, from),
          isNotNull(refundRows.offeredAt),
        ),
      )
    const paid = rows.filter((row) => isAnswer(row, seen)).map(({ id }) => id)
    if (paid.length === 0) return
    await tx.update(refundRows).set({ transactionNonce: nonce }).where(inArray(refundRows.id, paid))
  })
}

/**
 * It pays the row, and by the offer that is in flight: a page may report late what came of an earlier one. A call of the
 * register is known by its deadline, a transfer by a number that was free when the row was handed out.
 */
function isAnswer(row: StoredRow, { nonce, input }: SeenTransaction): boolean {
  const { offeredTotal, offeredUnits, offeredNonce, offeredPath, validUntil } = row
  if (!paysRow(input, { ...row, units: offeredTotal ?? offeredUnits ?? row.units })) return false
  if (offeredPath !== 'register') return nonce >= (offeredNonce ?? 0)
  return validUntil !== null && input.toLowerCase().includes(word(BigInt(validUntil.getTime() / 1_000)))
}
