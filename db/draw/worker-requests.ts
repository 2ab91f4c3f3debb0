import { and, asc, eq, gt, inArray, isNull, sql } from 'drizzle-orm'
import type { Hash } from 'viem'
import type { ErrorCode } from '../../core/errors.ts'
import type { Db } from '../index.ts'
import { workerRequests } from '../schema/index.ts'

export type WorkerRequestKind = (typeof workerRequests.$inferSelect)['kind']
export type WorkerRequest = { id: number; transactionHash: Hash | null }
/** `code` is null for success. */
export type Answer = { code: ErrorCode | null; message: string | null }

/** Stores a request to a worker, valid for `waitMs`. The caller adds the job after the commit. */
export async function addWorkerRequest(
  db: Db,
  request: { kind: WorkerRequestKind; eventNumber: number; transactionHash?: Hash; waitMs: number },
): Promise<number> {
  const { waitMs, ...values } = request
  const [row] = await db
    .insert(workerRequests)
    .values({ ...values, expiresAt: sql`clock_timestamp() + ${`${waitMs} milliseconds`}::interval` })
    .returning({ id: workerRequests.id })
  return (row as { id: number }).id
}

/** Undefined while there is no answer. */
export async function getAnswer(db: Db, id: number): Promise<Answer | undefined> {
  const [row] = await db.select().from(workerRequests).where(eq(workerRequests.id, id))
  return row?.answeredAt ? { code: row.code, message: row.message } : undefined
}

/** Requests whose callers still wait, oldest first. */
export async function openWorkerRequests(
  db: Db,
  kind: WorkerRequestKind,
  eventNumber: number,
): Promise<WorkerRequest[]> {
  return db
    .select({ id: workerRequests.id, transactionHash: workerRequests.transactionHash })
    .from(workerRequests)
    .where(and(eq(workerRequests.kind, kind), eq(workerRequests.eventNumber, eventNumber), isLive()))
    .orderBy(asc(workerRequests.id))
}

/** Answers requests whose callers still wait and returns their ids, oldest first: each is answered once. */
export async function answerWorkerRequests(
  tx: Db,
  ids: readonly number[],
  answer: Answer,
): Promise<number[]> {
  if (ids.length === 0) return []
  const rows = await tx
    .update(workerRequests)
    .set({ ...answer, answeredAt: sql`clock_timestamp()` })
    .where(and(inArray(workerRequests.id, [...ids]), isLive()))
    .returning({ id: workerRequests.id })
  return rows.map((row) => row.id).sort((a, b) => a - b)
}

/** Stores why a request is not done yet; it stays open, and the note is its answer if time runs out. */
export async function noteWorkerRequest(db: Db, id: number, note: Answer): Promise<void> {
  await db
    .update(workerRequests)
    .set(note)
    .where(and(eq(workerRequests.id, id), isLive()))
}

/** Cancels a request when its caller stops waiting. Returns its answer, or else why it was not done. */
export async function cancelWorkerRequest(db: Db, id: number): Promise<Answer> {
  await db
    .update(workerRequests)
    .set({
      answeredAt: sql`clock_timestamp()`,
      code: sql`coalesce(${workerRequests.code}, 'RPC_UNAVAILABLE')`,
      message: sql`coalesce(${workerRequests.message}, 'No worker has answered, and nothing was done. Try again.')`,
    })
    .where(and(eq(workerRequests.id, id), isNull(workerRequests.answeredAt)))
  return (await getAnswer(db, id)) as Answer
}

const isLive = () =>
  and(isNull(workerRequests.answeredAt), gt(workerRequests.expiresAt, sql`clock_timestamp()`))
