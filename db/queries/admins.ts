import { sql } from 'drizzle-orm'
import type { Db } from '../index.ts'
import { admins } from '../schema.ts'

/** False when there is an administrator already: nothing is added and nobody's password is touched. */
export async function createFirstAdmin(
  db: Db,
  { username, passwordHash }: { username: string; passwordHash: string },
): Promise<boolean> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`lock table ${admins} in share row exclusive mode`)
    const [first] = await tx.select({ id: admins.id }).from(admins).limit(1)
    if (first) return false
    await tx.insert(admins).values({ username, passwordHash })
    return true
  })
}
