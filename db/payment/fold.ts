import type { Address, Hash } from 'viem'
import { type FoldedPayment, isBeforeSale, judgePayment, type SaleRules } from '../../core/payment/judge.ts'
import type { FoundPayment } from '../../core/payment/payment.ts'
import { addChange } from '../event/changes.ts'
import { type Event, getSaleWallets, lockOpenEvent } from '../event/events.ts'
import { advanceCursor, type ScanCursor } from '../event/scan-cursor.ts'
import { bumpVersion } from '../event/version.ts'
import type { Db } from '../index.ts'
import { resolveClaims } from './claims.ts'
import { recordPayments } from './payments.ts'
import { withoutKnown } from './recorded.ts'
import { halt } from './refold.ts'
import { getSaleRules, rulesFor } from './sale-rules.ts'

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
    const written = await recordFound(tx, found, await rulesFor(tx, found))
    if (event?.frozenAt) await openIfSold(tx, event, written)
    await bumpVersion(tx)
    return ticketsOf(written)
  })
}

const isComplete = async (tx: Db, event: Event, { token, wallets }: Read): Promise<boolean> =>
  event.token === token && (await getSaleWallets(tx)).every((wallet) => wallets.includes(wallet))

/** Only after blocks of the sale were replaced can a payment get tickets of a list that was published without it. */
async function openIfSold(tx: Db, event: Event, written: readonly FoldedPayment[]): Promise<void> {
  const [sold] = written.filter(({ ticketCount }) => ticketCount > 0)
  if (sold)
    await halt(tx, event, event.ticketsSold + ticketsOf(written), `payment ${sold.transactionHash} is new`)
}

/**
 * Records payments that the scan has passed and that get no ticket any more, whatever is folded: from before
 * the sale or the wallet was ours, after the end of a sale, or of an event that is drawn or archived. Such a payment of a sale
 * is `missed`, and that is public. Returns the others, which can still get tickets: their event must be folded
 * anew. Safe to run twice.
 */
export async function recordPassed(db: Db, found: readonly FoundPayment[]): Promise<FoundPayment[]> {
  return db.transaction(async (tx) => {
    await lockOpenEvent(tx)
    const rules = await getSaleRules(tx)
    const judged = found.map((payment) => ({
      payment,
      verdict: judgePayment(payment, payment.blockTime, rules),
    }))
    const mayGetTickets = ({ payment, verdict }: (typeof judged)[number]) =>
      verdict.reason !== 'early' &&
      verdict.reason !== 'late' &&
      !isBeforeSale(payment, payment.blockTime, rules) &&
      rules.events.some(({ number, isClosed }) => number === verdict.eventNumber && !isClosed)
    const passed = judged.filter((one) => !mayGetTickets(one)).map(({ payment }) => payment)
    if ((await recordFound(tx, passed, rules)).length > 0) await bumpVersion(tx)
    return judged.filter(mayGetTickets).map(({ payment }) => payment)
  })
}

/** Returns what was written; a payment of a sale that came too late for its draw is listed in public. */
async function recordFound(
  tx: Db,
  found: readonly FoundPayment[],
  rules: SaleRules,
): Promise<FoldedPayment[]> {
  const written = await recordPayments(tx, await withoutKnown(tx, found, rules), rules)
  for (const { eventNumber, reason, transactionHash } of written)
    if (eventNumber !== null && reason === 'missed')
      await addChange(tx, eventNumber, 'ledger', null, `missed: ${transactionHash}`)
  const hashes = [...new Set(found.map((payment) => payment.transactionHash))]
  await resolveClaims(tx, hashes)
  return written
}

const ticketsOf = (folded: readonly FoldedPayment[]): number =>
  folded.reduce((sum, { ticketCount }) => sum + ticketCount, 0)
