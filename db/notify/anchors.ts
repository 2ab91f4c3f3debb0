import type { Notice } from '../../core/notify/kinds.ts'
import { readAnchors } from '../draw/anchors.ts'
import { getEvent } from '../event/events.ts'
import type { Db } from '../index.ts'

/**
 * A wallet of ours can put anything on the chain. With the anchor's notice goes whether it is the event's terms or its frozen list:
 * `list` is `frozen`, else `other`, and people are warned.
 */
export async function judgeAnchor<N extends Pick<Notice, 'kind' | 'eventNumber' | 'facts'>>(
  db: Db,
  notice: N,
): Promise<N> {
  if (notice.kind !== 'anchored' || notice.eventNumber === null) return notice
  const event = await getEvent(db, notice.eventNumber)
  const own = event && Object.values(await readAnchors(db, event)).map((told) => told?.commitment)
  const list = own?.some((commitment) => commitment === notice.facts.commitment) ? 'frozen' : 'other'
  return { ...notice, facts: { ...notice.facts, list } }
}
