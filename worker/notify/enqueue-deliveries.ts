import type { JobQueue } from '../../core/server/queue.ts'
import { dueDeliveries } from '../../db/notify/deliveries.ts'
import type { Deps } from '../deps.ts'

const atOnce = 64
/** An id per time slot: a job lost with a killed worker does not block the next one. */
const slotMs = 2_000

/**
 * Adds a job for each message that is due. Without the queue they are sent directly, which is safe in any number of
 * workers at once: each takes a row before it sends it.
 */
export async function enqueueDeliveries(
  { db, jobs }: Pick<Deps, 'db'> & { jobs: Pick<JobQueue, 'enqueueMany'> },
  sendDirectly: (id: number) => Promise<void>,
): Promise<void> {
  const due = await dueDeliveries(db, atOnce)
  if (due.length === 0) return
  const slot = Math.floor(Date.now() / slotMs)
  const areQueued = await jobs.enqueueMany(
    'send-notification',
    due.map((id) => ({ payload: { id }, jobId: `send-notification-${id}-${slot}` })),
  )
  if (!areQueued) await Promise.all(due.map(sendDirectly))
}
