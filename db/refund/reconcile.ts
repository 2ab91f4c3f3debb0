import { sql } from 'drizzle-orm'
import type { Address } from 'viem'
import { type Standing, standingOf } from '../../core/refund/accounts.ts'
import { smaller } from '../../core/refund/allocate.ts'
import type { Account, Books } from '../../core/refund/books.ts'
import { callLanding } from '../../core/refund/call.ts'
import type { Db } from '../index.ts'
import { operatorTransfers, refundRows } from '../schema/index.ts'
import { type Accounts, isInFlight, loadAccounts, type StoredRow } from './accounts.ts'
import { type FinalFacts, landingOf } from './landing.ts'
import { type Fits, loadFits } from './memory.ts'
import { takeOverAgain } from './takeover-again.ts'

/**
 * Allocates what is not allocated yet, and puts every row of these addresses where the final facts say. Safe
 * to run twice: the second run finds nothing to change. The caller holds the lock.
 */
export async function reconcile(tx: Db, addresses: readonly Address[], final?: FinalFacts): Promise<void> {
  if (addresses.length === 0) return
  const { books, fits } = await loadBooks(tx, addresses)
  const { rows, transfers, accounts, given } = books
  await writeAllocations(tx, given)
  const known = transfers.map((t) => ({ ...t, rowId: given.get(t.key)?.rowId ?? t.rowId }))
  const standings: NewStanding[] = []
  for (const row of rows) {
    const account = accounts.get(row.id) as Account
    const isCalled = row.offeredPath === 'register'
    const landing =
      isInFlight(row) &&
      (isCalled
        ? callLanding(row, rememberedFor(row, account, fits), final)
        : landingOf(row, account, known, final))
    // A reorg has removed its payments for now, and the transaction it was offered for may still be mined. What was
    // offered through the register is settled by the register alone.
    if ((account.owed === 0n || isCalled) && isInFlight(row) && !landing) continue
    const isRowAhead = account.parts.some(({ token }) => fits.isAhead({ token, debtor: row.payer }))
    const isElsewhere = account.parts.some(({ due, wallet, token }) => {
      const place = { wallet, token, debtor: row.payer }
      // What others have made up for since keeps the register from nothing.
      return due > 0n && fits.isElsewhere(place) && !fits.of(place).canPay
    })
    const standing = standingOf(row, account, { isAhead: isRowAhead, isElsewhere })
    const isOpen = standing.state === 'offered' || standing.state === 'sent'
    const next =
      landing && isOpen
        ? landing === 'mined'
          ? { ...standing, state: 'planned' as const, transactionHash: null }
          : { ...standing, state: 'failed' as const, reason: standing.reason ?? ('replaced' as const) }
        : standing
    standings.push({ row, next, hasLanded: Boolean(landing) })
  }
  await writeStandings(tx, standings)
}

/** With the takeovers that only the register's logs know any more. */
async function loadBooks(tx: Db, addresses: readonly Address[]): Promise<{ books: Accounts; fits: Fits }> {
  for (;;) {
    const books = await loadAccounts(tx, addresses)
    const fits = await loadFits(tx, books)
    if (!(await takeOverAgain(tx, books, fits))) return { books, fits }
  }
}

/**
 * What the register remembers of the wallet that a row was offered to, in the token of the row's own debts; of a row in
 * several tokens the least, as its call may be for any of them.
 */
function rememberedFor(
  { offeredWallet: wallet, payer: debtor }: StoredRow,
  { parts }: Account,
  fits: Fits,
): bigint {
  const totals = parts.map(({ token }) => (wallet ? fits.remembered({ wallet, token, debtor }) : 0n))
  return totals.length > 0 ? totals.reduce(smaller) : 0n
}

async function writeAllocations(tx: Db, given: Books['given']): Promise<void> {
  if (given.size === 0) return
  const places = [...given.keys()].map((key) => key.split(' ') as [string, string])
  const values = [...given.values()]
  await tx.execute(sql`
    update ${operatorTransfers} t set row_id = given.row_id,
      order_block = case when given.block > coalesce(order_block, block_number) then given.block else order_block end
    from unnest(${column(places, ([hash]) => hash)}, ${column(places, ([, position]) => position)}::int[],
      ${column(values, ({ rowId }) => `${rowId}`)}::bigint[],
      ${column(values, ({ block }) => `${block}`)}::bigint[]) as given (hash, position, row_id, block)
    where t.transaction_hash = given.hash and t.log_position = given.position`)
}

type NewStanding = { row: StoredRow; next: Standing; hasLanded: boolean }

/** One statement for all of them: a watch that begins anew settles every row of a large batch. */
async function writeStandings(tx: Db, standings: readonly NewStanding[]): Promise<void> {
  const changed = standings.filter(
    ({ row, next, hasLanded }) =>
      hasLanded ||
      row.state !== next.state ||
      row.reason !== next.reason ||
      row.transactionHash !== next.transactionHash,
  )
  if (changed.length === 0) return
  await tx.execute(sql`
    update ${refundRows} r set state = next.state, reason = next.reason, transaction_hash = next.hash,
      offered_at = case when next.landed = 'true' then null else r.offered_at end,
      settled_at = case when r.state = next.state then r.settled_at when next.state = 'settled' then now() end
    from unnest(${column(changed, ({ row }) => `${row.id}`)}::bigint[], ${column(changed, ({ next }) => next.state)},
      ${column(changed, ({ next }) => next.reason)}, ${column(changed, ({ next }) => next.transactionHash)},
      ${column(changed, ({ hasLanded }) => `${hasLanded}`)}) as next (id, state, reason, hash, landed)
    where r.id = next.id`)
}

const column = <T>(rows: readonly T[], value: (row: T) => string | null) =>
  sql`${sql.param(rows.map(value))}::text[]`
