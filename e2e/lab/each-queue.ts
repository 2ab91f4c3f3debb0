import { type QueueName, queueNames } from '../../core/jobs.ts'

/** The same value for every queue, in the shape that counts and ages have. */
export const eachQueue = <T>(value: T): Record<QueueName, T> =>
  Object.fromEntries(queueNames.map((name) => [name, value])) as Record<QueueName, T>
