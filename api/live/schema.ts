import { Type as t } from '@sinclair/typebox'
import type { Cover } from '../../core/live/public.ts'
import { drawnTickets, drawStatus, publicWinner } from '../draw/schema.ts'
import { eventSettings, publicConfig, publicHistory, publicStats } from '../event/schema.ts'
import { publicRules } from '../house/schema.ts'
import { answer, listed, orNull, units, whole } from '../http/answers.ts'
import { purchase, recent } from '../payment/schema.ts'
import { publicPrizes } from '../prize/schema.ts'

const version = whole('Never goes back, of no process: what carries a lower one is old.')
const now = whole("The database's clock, milliseconds since 1970.")

/** @see PublicSolvency */
/** @internal */
export const publicSolvency = answer(
  {
    state: listed<Cover>(['covered', 'short', 'unknown']),
    held: orNull(units),
    required: orNull(units),
    block: orNull(answer({ number: whole(), timestamp: whole('In seconds.') })),
  },
  { $id: 'Solvency', description: 'At one final block; null while it was never read.' },
)

export const parts = {
  config: publicConfig,
  stats: publicStats,
  recent,
  winner: orNull(publicWinner),
  winners: drawnTickets,
  prizes: publicPrizes,
  drawStatus,
  history: publicHistory,
  eventSettings,
  solvency: publicSolvency,
  rules: publicRules,
}
export const snapshot = answer({ version, ...parts, now }, { $id: 'LiveSnapshot' })
export const change = answer(
  {
    ...t.Partial(t.Object(parts)).properties,
    version,
    now,
    recentAdded: t.Optional(t.Array(purchase, { description: 'Go before the purchases known so far.' })),
  },
  { $id: 'LiveChange' },
)
export const beat = answer({ version, now, stale: t.Boolean() }, { $id: 'LiveBeat' })
export const health = answer({ status: t.Literal('ok') }, { $id: 'Health' })
export const readiness = answer(
  { status: t.Literal('ready'), stale: t.Boolean(), version },
  { $id: 'ReadyReport' },
)
