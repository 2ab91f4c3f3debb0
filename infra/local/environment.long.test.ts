import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { asOfDevelopment } from '../../e2e/lab/development-database.ts'
import { enough, launch, type Name, ownDatabase } from '../../e2e/lab/launch.ts'
import { freePort } from './ports.ts'

describe('V2: a database of a newer release', () => {
  test.each<Name>(['api', 'worker', 'migrate'])('is refused by %s', async (name) => {
    const database = await ownDatabase()
    await database.db.execute(sql`update house set schema_major = 99`)
    const env = { ...enough, DATABASE_URL: database.url, METRICS_PORT: `${await freePort()}` }
    const { code, text } = await launch(name, { ...env, API_PORT: `${await freePort()}` }).ended()
    expect([code, /schema 99/.test(text)]).toEqual([1, true])
  })
})

describe('V2: a database of a development version', () => {
  test.each<Name>(['api', 'worker', 'migrate'])('is refused by %s', async (name) => {
    const database = await ownDatabase()
    await asOfDevelopment(database.db)
    const env = { ...enough, DATABASE_URL: database.url, METRICS_PORT: `${await freePort()}` }
    const { code, text } = await launch(name, { ...env, API_PORT: `${await freePort()}` }).ended()
    expect(code).toBe(1)
    expect(text.trim().split('\n').at(-1)).toContain(
      'The database comes from an earlier development version, and nothing leads from there to this release, ' +
        'neither db:migrate nor a backup: use a new, empty one.',
    )
  })
})
