import { desc } from 'drizzle-orm'
import { getAddress } from 'viem'
import type { PublicChange } from '../../core/public.ts'
import type { Db } from '../index.ts'
import { changes } from '../schema/index.ts'

/** What programs list themselves; changed terms are listed by a trigger, whatever program writes them. */
export type ChangeField = 'winner' | 'sales' | 'ledger' | 'refundMode' | 'anchor' | 'ownWallet'

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

/** Newest first. */
export async function listChanges(db: Db, limit = 200): Promise<PublicChange[]> {
  const rows = await db.select().from(changes).orderBy(desc(changes.id)).limit(limit)
  return rows.map(({ eventNumber, at, field, from, to }) => ({
    eventNumber,
    at: at.toISOString(),
    field,
    from: shown(field, from),
    to: shown(field, to),
  }))
}

/** Addresses are stored in lower case and shown with their checksums. */
const shown = (field: string, value: string | null): string | null =>
  value !== null && addressFields.has(field) ? getAddress(value) : value

const addressFields = new Set(['operatorWallet', 'anchorWallet', 'token'])

const asText = (value: string | number | Date | null): string | null =>
  value === null ? null : value instanceof Date ? value.toISOString() : String(value)
