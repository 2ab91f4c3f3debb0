import type { Hash } from 'viem'

/** Payloads are small: the row holds the facts, a job only names the row. */
export type Jobs = {
  'verify-payment': { hashes: readonly Hash[] }
  scan: Record<string, never>
  'close-sale': Record<string, never>
  'second-reading': Record<string, never>
  'lost-lines': Record<string, never>
  'ingest-manual': { hash: Hash }
  draw: { eventNumber: number }
  'watch-refunds': Record<string, never>
  'send-notification': { id: number }
}

export type JobName = keyof Jobs

/** One queue per kind of work, so that workers can be scaled by queue (`WORKER_QUEUES`). */
export const queueNames = ['verify', 'scan', 'close', 'manual', 'draw', 'refunds', 'notify'] as const
export type QueueName = (typeof queueNames)[number]

export const queueOf: Record<JobName, QueueName> = {
  'verify-payment': 'verify',
  scan: 'scan',
  'close-sale': 'close',
  'second-reading': 'close',
  // Never before the freeze of a sale.
  'lost-lines': 'verify',
  'ingest-manual': 'manual',
  draw: 'draw',
  'watch-refunds': 'refunds',
  'send-notification': 'notify',
}

/** After 1, 2, 4 … seconds, until the row of a message gives up a day later. The sweeper adds a job where none is there. */
export const retriesOf: Partial<
  Record<JobName, { attempts: number; backoff: { type: 'exponential'; delay: number } }>
> = { 'send-notification': { attempts: 18, backoff: { type: 'exponential', delay: 1_000 } } }

/** From the draw date until its block is usually final: the scheduled job runs then, the sweeper later. */
export const usuallyFinalMs = 1_500

/** BullMQ refuses ids with a colon. It ignores a job whose id is already in the queue. */
export const jobId = {
  verifyPayment: (hash: Hash): string => `verify-payment-${hash}`,
  ingestManual: (hash: Hash): string => `ingest-manual-${hash}`,
  sendNotification: (id: number): string => `send-notification-${id}`,
  drawAt: (eventNumber: number, date: Date): string => `draw-${eventNumber}-at-${date.getTime()}`,
} as const
