import { sql } from 'drizzle-orm'
import { drawingMs } from '../../core/live/state.ts'
import { draws, events } from '../schema/index.ts'

/** The drawing of a joined draw has ended once: a clear or a second draw does not hide it again. */
export const isRevealed = sql<boolean>`(${events.redrawnAt} is not null
  or ${draws.drawnAt} + ${`${drawingMs} milliseconds`}::interval <= clock_timestamp())`
