import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { testDb } from '../e2e/lab/database.ts'
import { forTest } from '../e2e/lab/opened.ts'
import { connect, isDatabaseOutage } from './index.ts'

test('Q4: a connection that ends in the middle of a transaction fails only that transaction', async () => {
  const database = await forTest(testDb())
  const { db, close } = connect(database.url, { max: 1 })
  for (let lost = 0; lost < 3; lost++) {
    const failure = await db
      .transaction(async (tx) => {
        await tx.execute(sql`select pg_terminate_backend(pg_backend_pid())`).catch(() => undefined)
        await tx.execute(sql`select 1`)
      })
      .catch((error) => error)
    expect(isDatabaseOutage(failure)).toBe(true)
    // The pool has one connection: it is a new one.
    expect(await db.execute(sql`select ${lost}::int as number`)).toEqual([{ number: lost }])
  }
  await close()
})
