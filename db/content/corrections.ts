import { asc, count, eq } from 'drizzle-orm'
import type { Both, Correction } from '../../core/content/event-content.ts'
import { contentLimits } from '../../core/content/limits.ts'
import { RaffleError } from '../../core/errors.ts'
import { getEvent } from '../event/events.ts'
import { bumpVersion } from '../event/version.ts'
import type { Db } from '../index.ts'
import { corrections } from '../schema/index.ts'

/** In the order in which they were added. */
export async function correctionsOf(db: Db, eventNumber: number): Promise<Correction[]> {
  const rows = await db
    .select()
    .from(corrections)
    .where(eq(corrections.eventNumber, eventNumber))
    .orderBy(asc(corrections.id))
  return rows.map(({ at, en, ko }) => ({ at: at.toISOString(), text: { en, ko } }))
}

/** Adds one to an event, open or archived. Throws NOT_FOUND, and EVENT_LOCKED where there are too many. */
export async function addCorrection(
  tx: Db,
  eventNumber: number,
  { en, ko }: Both,
  addedBy: string,
): Promise<void> {
  if (!(await getEvent(tx, eventNumber)))
    throw new RaffleError('NOT_FOUND', `이벤트 ${eventNumber}이 없습니다.`)
  const [row] = await tx
    .select({ added: count() })
    .from(corrections)
    .where(eq(corrections.eventNumber, eventNumber))
  if ((row?.added ?? 0) >= contentLimits.corrections)
    throw new RaffleError(
      'EVENT_LOCKED',
      `한 이벤트의 정정은 ${contentLimits.corrections}개까지입니다.`,
      {},
      { field: 'text' },
    )
  await tx.insert(corrections).values({ eventNumber, en, ko, addedBy })
  await bumpVersion(tx)
}
