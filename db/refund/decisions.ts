import { and, eq, isNull, not, sql } from 'drizzle-orm'
import type { Address, Hash, Hex } from 'viem'
import { register } from '../../core/chain/register.ts'
import { RaffleError } from '../../core/errors.ts'
import type { TransferMark } from '../../core/refund/classes.ts'
import type { SignatureProof } from '../../core/refund/rules.ts'
import type { Readdress } from '../../core/refund/signature.ts'
import type { Db } from '../index.ts'
import { settleTokenPrizes } from '../prize/settle.ts'
import {
  events,
  operatorTransfers,
  operatorWallets,
  refundBatches,
  refundReaddresses,
  refundRows,
  refundWatch,
  scanCursor,
} from '../schema/index.ts'
import { isInFlight, lockRefunds, type StoredRow } from './accounts.ts'
import { toRefundRow } from './list.ts'
import { reconcile } from './reconcile.ts'
import { unheardWallets } from './unheard.ts'

const zeroAddress: Address = `0x${'0'.repeat(40)}`

/**
 * Releases a held row to its payer, whose payments by the register may have settled other rows in its place until now. Safe to
 * repeat. Throws NOT_FOUND, INVALID_VALUE for a row not held.
 */
export async function releaseRow(tx: Db, id: number) {
  await lockRefunds(tx)
  const row = await rowOf(tx, id)
  if (row.hold === null) throw new RaffleError('INVALID_VALUE', '보류된 환불 항목이 아닙니다.')
  await tx
    .update(refundRows)
    .set({ releasedAt: sql`coalesce(released_at, now())` })
    .where(eq(refundRows.id, id))
  await reconcile(tx, [row.payer])
  return { before: row, row: toRefundRow(await rowOf(tx, id)) }
}

/**
 * Records what a transfer was for; one that was no refund is no longer subtracted, and the row or prize that it had paid stands
 * where the other facts say. Without a mark (null) the rule decides again. Throws NOT_FOUND, ALREADY_PROCESSED for a payment
 * of the register: that one says itself whose refund it is; INVALID_VALUE for a prize that it cannot have paid.
 */
export async function markTransfer(
  tx: Db,
  transfer: { transactionHash: Hash; position: number; markedAs: TransferMark | null },
): Promise<{ before: TransferMark | null }> {
  await lockRefunds(tx)
  const { transactionHash, position, markedAs } = transfer
  const at = and(
    eq(operatorTransfers.transactionHash, transactionHash),
    eq(operatorTransfers.logPosition, position),
    not(operatorTransfers.isGone),
  )
  const [found] = await tx.select().from(operatorTransfers).where(at)
  if (!found) throw new RaffleError('NOT_FOUND', '해당 전송 내역이 없습니다.')
  if (found.debtor)
    throw new RaffleError('ALREADY_PROCESSED', '환불 컨트랙트로 지급된 전송은 변경할 수 없습니다.')
  const paid = found.rowId === null ? undefined : await rowOf(tx, found.rowId)
  const notRefund = markedAs === 'other' || markedAs === 'prize'
  await tx.update(operatorTransfers).set({ markedAs, notRefund, rowId: null }).where(at)
  await settleTokenPrizes(tx, [found.recipient])
  if (markedAs === 'prize') await expectPrize(tx, transfer)
  await reconcile(tx, paid ? [found.recipient, paid.payer] : [found.recipient])
  return { before: found.markedAs ?? (found.notRefund ? 'other' : null) }
}

/** What is marked as a prize is no refund any more; of one that is more than what was unpaid the rest is for something else. */
async function expectPrize(tx: Db, transfer: { transactionHash: Hash; position: number }): Promise<void> {
  const [marked] = await tx
    .select()
    .from(operatorTransfers)
    .where(
      and(
        eq(operatorTransfers.transactionHash, transfer.transactionHash),
        eq(operatorTransfers.logPosition, transfer.position),
      ),
    )
  const { prizeEvent = null, prizePlace = null } = marked ?? {}
  if (prizeEvent === null || prizePlace === null)
    throw new RaffleError(
      'INVALID_VALUE',
      'markedAs: 이 전송보다 먼저 추첨된, 받는 지갑의 미지급 USDT 경품이 없습니다.',
      {},
      { field: 'markedAs' },
    )
}

/**
 * The wish that a payer must sign to name another address. Throws NOT_FOUND, INVALID_VALUE, TX_PENDING,
 * ALREADY_PROCESSED.
 */
export async function wishOf(db: Db, id: number, recipient: Address): Promise<Readdress> {
  const row = await rowOf(db, id)
  const [event] = await db
    .select({ chainId: events.chainId, token: events.token })
    .from(refundBatches)
    .innerJoin(events, eq(events.number, refundBatches.eventNumber))
    .where(eq(refundBatches.id, row.batchId))
  const ours = await db.select().from(operatorWallets).where(eq(operatorWallets.address, recipient))
  const contracts = [event?.token, register.address.toLowerCase()]
  if (ours.length > 0 || recipient === zeroAddress || contracts.includes(recipient))
    throw new RaffleError(
      'INVALID_VALUE',
      'recipient: 환불을 받을 수 없는 주소입니다.',
      {},
      { field: 'recipient' },
    )
  expectAtRest(row)
  if ((await unheardWallets(db)).size > 0) throw underWay()
  return { chainId: event?.chainId ?? 0, rowId: id, payer: row.payer, recipient }
}

/** Stores a signed wish, valid for `waitMs`, until a worker has asked the payer's contract about it. */
export async function askReaddress(
  db: Db,
  wish: { rowId: number; recipient: Address; signature: Hex; waitMs: number },
): Promise<number> {
  const { waitMs, ...values } = wish
  const expiresAt = sql`clock_timestamp() + ${`${waitMs} milliseconds`}::interval`
  const [row] = await db
    .insert(refundReaddresses)
    .values({ ...values, expiresAt })
    .returning()
  return (row as { id: number }).id
}

export async function openReaddresses(db: Db) {
  return db
    .select()
    .from(refundReaddresses)
    .where(and(isNull(refundReaddresses.answeredAt), sql`${refundReaddresses.expiresAt} > clock_timestamp()`))
    .orderBy(refundReaddresses.id)
}

export async function getReaddress(db: Db, id: number) {
  const [row] = await db.select().from(refundReaddresses).where(eq(refundReaddresses.id, id))
  return row
}

/**
 * Closes a wish: with a proof the row goes to the new address, where only what is sent from now on counts, and is no longer held, without one the row
 * stays as it is. False if it was closed before or no caller waits any longer.
 */
export async function answerReaddress(tx: Db, id: number, proof: SignatureProof | null): Promise<boolean> {
  await lockRefunds(tx)
  const [wish] = await tx
    .update(refundReaddresses)
    .set({
      ...{ proof, answeredAt: sql`clock_timestamp()` },
      namedAt: sql`greatest((select height from ${refundWatch}), (select height from ${scanCursor}))`,
    })
    .where(
      and(
        eq(refundReaddresses.id, id),
        isNull(refundReaddresses.answeredAt),
        sql`${refundReaddresses.expiresAt} > clock_timestamp()`,
      ),
    )
    .returning()
  if (!wish || !proof) return wish !== undefined
  const row = await rowOf(tx, wish.rowId)
  expectAtRest(row)
  if ((await unheardWallets(tx)).size > 0) throw underWay()
  await tx
    .update(refundRows)
    .set({
      recipient: wish.recipient,
      // The payer can say where the money goes, not that it was meant for the raffle, nor that he is no thief.
      hold: sql`case when ${refundRows.hold} in ('early', 'lost') then ${refundRows.hold} end`,
      revision: sql`${refundRows.revision} + 1`,
    })
    .where(eq(refundRows.id, wish.rowId))
  await reconcile(tx, [row.payer, wish.recipient])
  return true
}

async function rowOf(db: Db, id: number): Promise<StoredRow> {
  const [row] = await db.select().from(refundRows).where(eq(refundRows.id, id))
  if (!row) throw new RaffleError('NOT_FOUND', '해당 환불 항목이 없습니다.')
  return row
}

/** The address of a row cannot change while its money is in flight or after it has arrived. */
function expectAtRest(row: StoredRow): void {
  if (row.state === 'settled') throw new RaffleError('ALREADY_PROCESSED', '이미 환불이 완료된 항목입니다.')
  if (isInFlight(row)) throw underWay()
}

const underWay = () => new RaffleError('TX_PENDING', '환불 거래가 진행 중인 항목입니다.')
