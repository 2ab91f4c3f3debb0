import { publicState } from '../../core/live/state.ts'
import type { Db } from '../../db/index.ts'
import { loadPublicFacts } from '../../db/report/public.ts'

/** What every visitor is told now. */
export async function stateNow(db: Db) {
  const { facts, now } = (await loadPublicFacts(db)) ?? {}
  if (!facts || !now) throw new Error('no event')
  return publicState(facts, now, false)
}
