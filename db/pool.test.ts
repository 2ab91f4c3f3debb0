import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { testDb } from '../e2e/lab/database.ts'
import { forTest } from '../e2e/lab/opened.ts'
import { connect } from './index.ts'

test('an opened pool has all its connections before the first query', async () => {
  const database = await forTest(testDb())
  const pool = connect(database.url, { max: 4, name: 'opened' })
  await pool.open()
  const count = sql`select count(*)::int as n from pg_stat_activity where application_name = 'opened'`
  expect(await database.db.execute(count)).toEqual([{ n: 4 }])
  await pool.close()
})
