import { onTestFinished } from 'vitest'
import { connectJobs, openWorker } from '../../core/server/queue.ts'
import type { QueueConnection } from '../../core/server/queue-connection.ts'
import { until } from './until.ts'

export const hash = (n: number) => `0x${n.toString(16).padStart(64, '0')}` as const

/** Closed after the test, as what follows. */
export function openJobs(place: QueueConnection) {
  const jobs = connectJobs(place, () => undefined)
  onTestFinished(jobs.close)
  return jobs
}

/** A worker that records the hashes of its jobs, and how often it was refused. */
export function startListener(place: QueueConnection) {
  const heard: string[] = []
  let refusals = 0
  let wake = () => {}
  const worker = openWorker(
    'verify',
    place,
    async (_, payload) => {
      heard.push(...(payload as { hashes: string[] }).hashes)
      wake()
    },
    {
      concurrency: 2,
      onError: () => {
        refusals += 1
        wake()
      },
    },
  )
  onTestFinished(worker.close)
  return {
    heard,
    refusals: () => refusals,
    ready: worker.ready,
    /** Looked at whenever a job is heard or it is refused. */
    until: async (test: () => boolean) => {
      while (!test()) await new Promise<void>((resolve) => (wake = resolve))
    },
    close: worker.close,
  }
}

export async function openListener(place: QueueConnection) {
  const listener = startListener(place)
  await listener.ready()
  return listener
}

/** Tries until the job is added: the queue may still be connecting. */
export async function enqueueUntilAdded(enqueue: () => Promise<boolean>): Promise<void> {
  await until(enqueue, 'a job is added')
}
