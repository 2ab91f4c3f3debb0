import { and, count, eq, gt, isNull, sql } from 'drizzle-orm'
import type { Db } from '../index.ts'
import { admins, uploads } from '../schema/index.ts'

export type NewUpload = Pick<
  typeof uploads.$inferInsert,
  'key' | 'contentType' | 'size' | 'adminId' | 'clientAddress' | 'expiresAt'
>

/** Uploads that one address requested within a day. */
export async function countUploads(db: Db, clientAddress: string): Promise<number> {
  const [row] = await db
    .select({ asked: count() })
    .from(uploads)
    .where(
      and(eq(uploads.clientAddress, clientAddress), gt(uploads.createdAt, sql`now() - interval '1 day'`)),
    )
  return row?.asked ?? 0
}

export async function addUpload(db: Db, upload: NewUpload): Promise<void> {
  await db.insert(uploads).values(upload)
}

/** Spends the one use of an upload and returns its owner; undefined when it was spent before. */
export async function spendUpload(db: Db, key: string): Promise<{ username: string } | undefined> {
  const [spent] = await db
    .update(uploads)
    .set({ usedAt: sql`now()` })
    .where(and(eq(uploads.key, key), isNull(uploads.usedAt)))
    .returning({ adminId: uploads.adminId })
  if (!spent) return undefined
  const [owner] = await db
    .select({ username: admins.username })
    .from(admins)
    .where(eq(admins.id, spent.adminId))
  return owner
}
