import { eq } from 'drizzle-orm'
import { RaffleError } from '../../core/errors.ts'
import { lostFrom } from '../../core/refund/nonce.ts'
import { readClock } from '../clock.ts'
import type { Db } from '../index.ts'
import { refundRows } from '../schema/index.ts'
import { isInFlight, lockRefunds, type StoredRow } from './accounts.ts'
import { toRefundRow } from './list.ts'

/**
 * An administrator's word that nothing of a request will ever be mined: no popup is open, no relay has it. The row is
 * free once the wallet's nonces and a second reading of the chain allow it too. Safe to repeat. Throws NOT_FOUND, and
 * TX_PENDING where no such word is needed, or within a day of the last time that a page waited for the wallet.
 */
export async function noteLost(tx: Db, id: number) {
  await lockRefunds(tx)
  const [row] = await tx.select().from(refundRows).where(eq(refundRows.id, id))
  if (!row) throw new RaffleError('NOT_FOUND', '해당 환불 항목이 없습니다.')
  if (!waitsForWord(row)) throw new RaffleError('TX_PENDING', '이 항목은 체인에서 자동으로 확인됩니다.')
  const now = (await readClock(tx)) * 1000
  const leftMs = lostFrom(row).getTime() - now
  if (leftMs > 0)
    throw new RaffleError('TX_PENDING', `${Math.ceil(leftMs / 3_600_000)}시간 뒤에 표시할 수 있습니다.`)
  const lostAt = row.lostAt ?? new Date(now)
  await tx.update(refundRows).set({ lostAt }).where(eq(refundRows.id, id))
  return toRefundRow(row)
}

/** Through the register a deadline ends a request, and where a wallet keeps its nonces they do. */
const waitsForWord = (row: StoredRow): boolean =>
  isInFlight(row) && row.offeredPath !== 'register' && (row.relayed || row.nonceBound === null)
