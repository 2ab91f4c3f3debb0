import { inject } from 'vitest'
import { freshDatabase, type TestDb } from './fresh-database.ts'

export { databaseOf, type TestDb } from './fresh-database.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The Postgres of this test run, as its superuser; every test file takes databases of its own from it. */
    postgresUrl: string
  }
}

/** A database of this test's own on the Postgres of the run. */
export const testDb = (): Promise<TestDb> => freshDatabase(inject('postgresUrl'))
