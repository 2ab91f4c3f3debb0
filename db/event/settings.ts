import { sql } from 'drizzle-orm'
import { RaffleError } from '../../core/errors.ts'
import type { PublicEventSettings } from '../../core/live/public.ts'
import type { Db } from '../index.ts'
import { eventSettings } from '../schema/index.ts'
import { bumpVersion } from './version.ts'

export type EventSettingsPatch = Partial<
  Pick<
    typeof eventSettings.$inferInsert,
    'prizeImageUrl' | 'prizeValue' | 'prizeDescription' | 'eventStartDate' | 'isActive'
  >
>

export async function getEventSettings(db: Db): Promise<PublicEventSettings> {
  const [row] = await db.select().from(eventSettings)
  return {
    prizeImageUrl: row?.prizeImageUrl ?? null,
    prizeValue: row?.prizeValue ?? null,
    prizeDescription: row?.prizeDescription ?? null,
    eventStartDate: row?.eventStartDate?.toISOString() ?? null,
    isActive: row?.isActive ?? false,
    updatedAt: row?.updatedAt?.toISOString() ?? null,
  }
}

/**
 * Changes the Next Event section; fields left out stay. Returns the settings before and after. Throws
 * VERSION_CONFLICT if `seen`, the `updatedAt` that the administrator saw, is not the newest any more.
 */
export async function updateEventSettings(db: Db, patch: EventSettingsPatch, seen?: string | null) {
  return db.transaction(async (tx) => {
    await tx.execute(sql`select 1 from ${eventSettings} for update`)
    const before = await getEventSettings(tx)
    if (seen !== undefined && seen !== before.updatedAt)
      throw new RaffleError(
        'VERSION_CONFLICT',
        'Somebody else has changed these settings. Reload and try again.',
      )
    await tx.update(eventSettings).set({ ...patch, updatedAt: sql`now()` })
    await bumpVersion(tx)
    return { before, after: await getEventSettings(tx) }
  })
}
