import { RaffleError } from '../../core/errors.ts'
import { causesOf, retry, withDeadline } from '../../core/server/time.ts'

const deadlineMs = 5_000
const attempts = 5
/** Two transactions were in each other's way: serialization failure, deadlock. */
const conflicts = new Set(['40001', '40P01'])

/**
 * Work of the database on behalf of a visitor who waits: tried again after a conflict, and given up after 5 s
 * with DB_UNAVAILABLE. What is given up may still be committed, so `work` must be safe to be asked for again.
 */
export const retryOnConflict = <T>(work: () => Promise<T>, limitMs = deadlineMs): Promise<T> =>
  withDeadline(
    limitMs,
    retry(work, (error, attempt) => attempt < attempts && isConflict(error)),
    () => {
      throw new RaffleError('DB_UNAVAILABLE', 'The database does not answer. Try again in a moment.')
    },
  )

const isConflict = (error: unknown): boolean =>
  causesOf(error).some((cause) => conflicts.has(String((cause as { code?: unknown }).code)))
