import { sql } from 'drizzle-orm'
import type { Db } from '../index.ts'
import { addChange } from './changes.ts'
import { bumpVersion } from './version.ts'

/**
 * Locks the terms that were in force at `at`, the block time of the first ticket or of the anchor of the terms, and takes back
 * what was set since. True if this call did it: once locked they stay, whatever is rewound. The caller holds the event's lock.
 */
export async function lockTerms(tx: Db, eventNumber: number, at: Date): Promise<boolean> {
  const [row] = await tx.execute<{ locked: boolean; later: number }>(sql`
    select (select count(*)::int from terms_versions where event_number = ${eventNumber} and since > ${at.toISOString()}) as later,
      lock_terms(${eventNumber}::int, ${at.toISOString()}::timestamptz) as locked`)
  if (!row?.locked) return false
  if (row.later > 0) await addChange(tx, eventNumber, 'terms', null, 'takenBack')
  await bumpVersion(tx)
  return true
}
