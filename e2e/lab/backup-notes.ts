import { sql } from 'drizzle-orm'
import type { Db } from '../../db/index.ts'
import { notifications } from '../../db/schema/index.ts'

/** As infra/backup/backup.sh notes that a step has failed: once an hour, however often it is tried. */
export async function noteBackupFailed(db: Db, step: string, at: Date): Promise<void> {
  await db
    .insert(notifications)
    .values({ kind: 'backup_failed', subject: `${step} ${at.toISOString().slice(0, 13)}`, facts: { step } })
    .onConflictDoNothing()
}

/** As the same notes that there is a backup of this day (UTC), which the first set-up looks for; safe to repeat. */
export async function noteBackupMade(
  db: Db,
  { name, at, isOffSite }: { name: string; at: string; isOffSite: boolean },
): Promise<void> {
  const facts = JSON.stringify({ name, madeAt: at, isOffSite })
  await db.execute(sql`insert into ${notifications} (kind, subject, facts)
    values ('backup_made', ${at.slice(0, 10)}, ${facts}::jsonb) on conflict do nothing`)
}
