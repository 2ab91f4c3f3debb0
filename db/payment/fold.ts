import { sql } from 'drizzle-orm'
import type { Address, Hash } from 'viem'
import type { FoldedPayment } from '../../core/payment/judge.ts'
import type { FoundPayment, Payment } from '../../core/payment/payment.ts'
import { addChange } from '../event/changes.ts'
import { type Event, getSaleWallets, lockOpenEvent } from '../event/events.ts'
import { advanceCursor, type ScanCursor } from '../event/scan-cursor.ts'
import { bumpVersion } from '../event/version.ts'
import type { Db } from '../index.ts'
import { payments } from '../schema/index.ts'
import { resolveClaims } from './claims.ts'
import { recordPayments } from './payments.ts'
import { rulesFor } from './sale-rules.ts'

export type BlockEnd = { number: bigint; hash: Hash; timestamp: number }
/** What payments were looked for. */
type Read = { token: Address; wallets: readonly Address[] }

/**
 * Folds the final blocks after `before` up to `end` into the ledger in one transaction: payments, ticket
 * numbers, claims, cursor and version. Returns the number of new tickets; undefined, with nothing written, if another worker had moved the cursor, or these blocks have to be read
 * again as the event has another token, or one more wallet is watched, than `read` for them. The event's row is
 * locked first, so that no date changes meanwhile.
 */
export async function foldRange(
  db: Db,
  before: ScanCursor | undefined,
  end: BlockEnd,
  found: readonly FoundPayment[],
  read?: Read,
): Promise<number | undefined> {
  return db.transaction(async (tx) => {
    const event = await lockOpenEvent(tx)
    if (event && read && !(await isComplete(tx, event, read))) return undefined
    const after = { height: end.number, hash: end.hash, blockTime: new Date(end.timestamp * 1000) }
    if (!(await advanceCursor(tx, before, after))) return undefined
    if (found.length === 0) return 0
    const written = await recordFound(tx, found)
    await bumpVersion(tx)
    return ticketsOf(written)
  })
}

const isComplete = async (tx: Db, event: Event, { token, wallets }: Read): Promise<boolean> =>
  event.token === token && (await getSaleWallets(tx)).every((wallet) => wallets.includes(wallet))

/** Returns what was written; a payment of a sale that came too late for its list is named in public. */
export async function recordFound(tx: Db, found: readonly FoundPayment[]): Promise<FoldedPayment[]> {
  const fresh = await notRecorded(tx, found)
  const written = await recordPayments(tx, fresh, await rulesFor(tx, fresh))
  for (const { eventNumber, reason, transactionHash } of written)
    if (eventNumber !== null && reason === 'missed')
      await addChange(tx, eventNumber, 'ledger', null, `missed: ${transactionHash}`)
  await resolveClaims(tx, [...new Set(found.map((payment) => payment.transactionHash))])
  return written
}

/** Those that are not on record: after a rewind the scan finds the lines of frozen lists again. */
export async function notRecorded<T extends Payment>(db: Db, found: readonly T[]): Promise<T[]> {
  if (found.length === 0) return []
  const keyOf = ({ transactionHash, payer, wallet }: Pick<Payment, 'transactionHash' | 'payer' | 'wallet'>) =>
    `${transactionHash} ${payer} ${wallet}`
  const hashes = found.map((payment) => payment.transactionHash)
  const rows = await db
    .select({ transactionHash: payments.transactionHash, payer: payments.payer, wallet: payments.wallet })
    .from(payments)
    .where(sql`${payments.transactionHash} = any(${sql.param(hashes)}::text[])`)
  const known = new Set(rows.map(keyOf))
  return found.filter((payment) => !known.has(keyOf(payment)))
}

const ticketsOf = (folded: readonly FoldedPayment[]): number =>
  folded.reduce((sum, { ticketCount }) => sum + ticketCount, 0)
