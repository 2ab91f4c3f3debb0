import { sql } from 'drizzle-orm'
import type { Db } from '../index.ts'
import { addChange } from './changes.ts'
import { bumpVersion } from './version.ts'

/**
 * Locks the terms that were in force at `at`, the block time of the first ticket or of the anchor of the terms, and takes back
 * what was set since. True if this call did it: once locked they stay, whatever is rewound. The caller holds the event's lock.
 */
export async function lockTerms(tx: Db, eventNumber: number, at: Date): Promise<boolean> {
  const line = () =>
    tx.execute<{ line: string }>(
      sql`select terms_line(e) as line from events e where number = ${eventNumber}`,
    )
  const [before] = await line()
  const [row] = await tx.execute<{ locked: boolean }>(
    sql`select lock_terms(${eventNumber}::int, ${at.toISOString()}::timestamptz) as locked`,
  )
  if (!row?.locked) return false
  const [after] = await line()
  if (before?.line !== after?.line) {
    await addChange(tx, eventNumber, 'terms', null, 'takenBack')
    await tx.execute(sql`select tell('terms_taken_back', ${`${eventNumber}`}, ${eventNumber}::int, '{}')`)
  }
  await bumpVersion(tx)
  return true
}
