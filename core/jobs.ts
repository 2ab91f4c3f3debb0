import type { Hash } from 'viem'
import type { RefundKind } from './refund/rules.ts'

/** Payloads are small: the row holds the facts, a job only says which row to look at. */
export type Jobs = {
  'verify-payment': { hashes: readonly Hash[] }
  scan: Record<string, never>
  'close-sale': Record<string, never>
  'ingest-manual': { hash: Hash }
  draw: { eventNumber: number }
  anchor: { eventNumber: number }
  /** Without a number: only what the chain must be asked for rows that are there. */
  'prepare-refunds': { eventNumber?: number; kind?: RefundKind }
  'watch-refunds': Record<string, never>
}

export type JobName = keyof Jobs

/** One queue a kind of job, so that workers can be scaled by queue (`WORKER_QUEUES`). */
export const queueNames = ['verify', 'scan', 'close', 'manual', 'draw', 'refunds'] as const
export type QueueName = (typeof queueNames)[number]

export const queueOf: Record<JobName, QueueName> = {
  'verify-payment': 'verify',
  scan: 'scan',
  'close-sale': 'close',
  'ingest-manual': 'manual',
  draw: 'draw',
  anchor: 'draw',
  'prepare-refunds': 'refunds',
  'watch-refunds': 'refunds',
}

/** How long after the draw date its block is usually final: the scheduled job comes then, the sweeper later. */
export const usuallyFinalMs = 1_500

/** Ids hold no colon (BullMQ refuses it) and let a second ring of a waiting job cost nothing. */
export const jobId = {
  verifyPayment: (hash: Hash): string => `verify-payment-${hash}`,
  ingestManual: (hash: Hash): string => `ingest-manual-${hash}`,
  drawAt: (eventNumber: number, date: Date): string => `draw-${eventNumber}-at-${date.getTime()}`,
} as const
