import { RaffleError } from '../../core/errors.ts'

const withinMs = 5_000
const attempts = 5
/** Two transactions were in each other's way: serialization failure, deadlock. */
const conflicts = new Set(['40001', '40P01'])

/**
 * Work of the database on behalf of a visitor who waits: tried again after a conflict, and given up after 5 s
 * with DB_UNAVAILABLE. What is given up may still be committed, so `work` must be safe to be asked for again.
 */
export async function patiently<T>(work: () => Promise<T>, limitMs = withinMs): Promise<T> {
  let timer: Timer | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new RaffleError('DB_UNAVAILABLE', 'The database does not answer. Try again in a moment.')),
      limitMs,
    )
  })
  return Promise.race([untilDone(work), late]).finally(() => clearTimeout(timer))
}

async function untilDone<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt === attempts || !isConflict(error)) throw error
    }
  }
}

function isConflict(error: unknown): boolean {
  for (let cause = error, depth = 0; cause && depth < 5; cause = (cause as Error).cause, depth++)
    if (conflicts.has(String((cause as { code?: unknown }).code))) return true
  return false
}
