import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { Db } from '../../db/index.ts'
import { asOfDevelopment } from '../../e2e/lab/development-database.ts'
import { enough, launch, type Name, ownDatabase } from '../../e2e/lab/launch.ts'
import { freePort } from './ports.ts'

const development =
  'The database comes from an earlier development version, and nothing leads from there to this release, ' +
  'neither db:migrate nor a backup: use a new, empty one.'

test.each<Name>(['api', 'worker', 'migrate'])(
  'V2: a database of a newer release or of a development version is refused by %s',
  async (name) => {
    for (const [change, told] of [
      [(db: Db) => db.execute(sql`update house set schema_major = 99`), 'schema 99'],
      [asOfDevelopment, development],
    ] as const) {
      const database = await ownDatabase()
      await change(database.db)
      const [API_PORT, METRICS_PORT] = [`${await freePort()}`, `${await freePort()}`]
      const env = { ...enough, DATABASE_URL: database.url, API_PORT, METRICS_PORT }
      const { code, text } = await launch(name, env).ended()
      expect([code, text]).toEqual([1, expect.stringContaining(told)])
    }
  },
)
