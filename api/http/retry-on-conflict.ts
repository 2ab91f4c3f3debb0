import { RaffleError } from '../../core/errors.ts'
import { causesOf, retry, withDeadline } from '../../core/server/time.ts'

const deadlineMs = 5_000
const attempts = 5
/** Conflicts of two transactions: serialization failure, deadlock. */
const conflicts = new Set(['40001', '40P01'])

/**
 * Database work for a waiting visitor: retried after a conflict, and given up after 5 s with DB_UNAVAILABLE.
 * It may still be committed after that, so `work` must be safe to repeat.
 */
export const retryOnConflict = <T>(work: () => Promise<T>, limitMs = deadlineMs): Promise<T> =>
  withDeadline(
    limitMs,
    retry(work, (error, attempt) => attempt < attempts && isConflict(error)),
    () => {
      throw new RaffleError('DB_UNAVAILABLE', { reason: 'away' })
    },
  )

const isConflict = (error: unknown): boolean =>
  causesOf(error).some((cause) => conflicts.has(String((cause as { code?: unknown }).code)))
