import { desc, lte } from 'drizzle-orm'
import { getAddress } from 'viem'
import type { PublicChange } from '../../core/live/public.ts'
import type { Db } from '../index.ts'
import { changes } from '../schema/index.ts'

/** What programs list themselves; changed terms are listed by a trigger, whatever program writes them. */
export type ChangeField = 'winner' | 'sales' | 'ledger' | 'refundMode' | 'terms' | 'ownMoney'

/** Adds to the public list of changes; the caller's transaction bumps the version. */
export async function addChange(
  tx: Db,
  eventNumber: number,
  field: ChangeField,
  from: string | number | Date | null,
  to: string | number | Date | null,
): Promise<void> {
  await tx.insert(changes).values({ eventNumber, field, from: asText(from), to: asText(to) })
}

/** Rows of a page. */
const pageSize = 200
/** Newest first; `next` is the cursor of the page after it, undefined with the oldest. No row is ever deleted. */
export type ChangesPage = { changes: PublicChange[]; next: number | undefined }

/**
 * The page below the row `cursor`; without one the newest. Undefined for a cursor of no row: a page below a row that is
 * still to come would lack what is listed until then.
 */
export async function changesPage(db: Db, cursor?: number): Promise<ChangesPage | undefined> {
  const rows = await rowsUpTo(db, cursor)
  if (cursor !== undefined && rows.shift()?.id !== cursor) return undefined
  const page = rows.slice(0, pageSize)
  return {
    changes: page.map(({ eventNumber, at, field, from, to }) => ({
      eventNumber,
      at: at.toISOString(),
      field,
      from: shownValue(field, from),
      to: shownValue(field, to),
    })),
    next: rows.length > pageSize ? page.at(-1)?.id : undefined,
  }
}

/** Enough to tell whether there is a page after this one. */
const rowsUpTo = (db: Db, cursor: number | undefined) =>
  db
    .select()
    .from(changes)
    .where(cursor === undefined ? undefined : lte(changes.id, cursor))
    .orderBy(desc(changes.id))
    .limit(pageSize + 2)

/** The newest page. @internal */
export const listChanges = async (db: Db): Promise<PublicChange[]> => (await changesPage(db))?.changes ?? []

/** Addresses are stored in lower case and shown with their checksums. */
export const shownValue = (field: string, value: string | null): string | null =>
  value !== null && addressFields.has(field) ? getAddress(value) : value

const addressFields = new Set(['operatorWallet', 'anchorWallet', 'token'])

const asText = (value: string | number | Date | null): string | null =>
  value === null ? null : value instanceof Date ? value.toISOString() : String(value)
