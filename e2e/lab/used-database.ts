import { type TestDb, testDb } from './database.ts'
import { keepRows, restoreRows } from './fresh-database.ts'

const free: TestDb[] = []

/**
 * As `testDb`, with the connections of a test that has ended: what it wrote is taken back, which costs a tenth of what a
 * new database and new connections do. Numbers begin anew too. For tests that change rows, not tables.
 */
export async function usedDb(): Promise<TestDb> {
  const database = (await takeFree()) ?? (await newOne())
  let isClosed = false
  return {
    ...database,
    // Twice is once: else two tests would get the same.
    close: async () => {
      if (!isClosed) free.push(database)
      isClosed = true
    },
  }
}

async function takeFree(): Promise<TestDb | undefined> {
  const database = free.pop()
  if (!database) return undefined
  try {
    await restoreRows(database.db)
    return database
  } catch {
    // A test has changed a table, or holds a lock.
    await database.close()
    return undefined
  }
}

async function newOne(): Promise<TestDb> {
  const database = await testDb()
  await keepRows(database.db)
  return database
}
