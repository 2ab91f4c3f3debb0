import { and, asc, eq, gt, inArray, isNull, sql } from 'drizzle-orm'
import type { Hash } from 'viem'
import type { ErrorCode } from '../../core/errors.ts'
import type { Db } from '../index.ts'
import { errands } from '../schema/index.ts'

export type ErrandKind = (typeof errands.$inferSelect)['kind']
export type Errand = { id: number; transactionHash: Hash | null }
/** `code` is null for success. */
export type Answer = { code: ErrorCode | null; message: string | null }

/** Stores a request to a worker, valid for `waitMs`. The caller adds the job after the commit. */
export async function askErrand(
  db: Db,
  errand: { kind: ErrandKind; eventNumber: number; transactionHash?: Hash; waitMs: number },
): Promise<number> {
  const { waitMs, ...values } = errand
  const [row] = await db
    .insert(errands)
    .values({ ...values, expiresAt: sql`clock_timestamp() + ${`${waitMs} milliseconds`}::interval` })
    .returning({ id: errands.id })
  return (row as { id: number }).id
}

/** Undefined while there is no answer. */
export async function getAnswer(db: Db, id: number): Promise<Answer | undefined> {
  const [row] = await db.select().from(errands).where(eq(errands.id, id))
  return row?.answeredAt ? { code: row.code, message: row.message } : undefined
}

/** Requests whose callers still wait, oldest first. */
export async function openErrands(db: Db, kind: ErrandKind, eventNumber: number): Promise<Errand[]> {
  return db
    .select({ id: errands.id, transactionHash: errands.transactionHash })
    .from(errands)
    .where(and(eq(errands.kind, kind), eq(errands.eventNumber, eventNumber), isLive()))
    .orderBy(asc(errands.id))
}

/** Answers requests whose callers still wait and returns their ids, oldest first: each is answered once. */
export async function answerErrands(tx: Db, ids: readonly number[], answer: Answer): Promise<number[]> {
  if (ids.length === 0) return []
  const rows = await tx
    .update(errands)
    .set({ ...answer, answeredAt: sql`clock_timestamp()` })
    .where(and(inArray(errands.id, [...ids]), isLive()))
    .returning({ id: errands.id })
  return rows.map((row) => row.id).sort((a, b) => a - b)
}

/** Stores why a request is not done yet; it stays open, and the note is its answer if time runs out. */
export async function noteErrand(db: Db, id: number, note: Answer): Promise<void> {
  await db
    .update(errands)
    .set(note)
    .where(and(eq(errands.id, id), isLive()))
}

/** Cancels a request when its caller stops waiting. Returns its answer, or else why it was not done. */
export async function giveUpErrand(db: Db, id: number): Promise<Answer> {
  await db
    .update(errands)
    .set({
      answeredAt: sql`clock_timestamp()`,
      code: sql`coalesce(${errands.code}, 'RPC_UNAVAILABLE')`,
      message: sql`coalesce(${errands.message}, 'No worker has answered, and nothing was done. Try again.')`,
    })
    .where(and(eq(errands.id, id), isNull(errands.answeredAt)))
  return (await getAnswer(db, id)) as Answer
}

const isLive = () => and(isNull(errands.answeredAt), gt(errands.expiresAt, sql`clock_timestamp()`))
