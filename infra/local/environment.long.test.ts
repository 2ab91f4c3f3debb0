import { sql } from 'drizzle-orm'
import postgres from 'postgres'
import { describe, expect, inject, test } from 'vitest'
import { asOfDevelopment } from '../../e2e/lab/development-database.ts'
import { enough, launch, type Name, ownDatabase, undo } from '../../e2e/lab/launch.ts'
import { freePort } from './ports.ts'

/** What compose.yaml tells `migrate`, all of it good. */
const ownLogins = {
  DATABASE_URL: 'postgres://127.0.0.1:1/none',
  PGUSER: 'blockdraw_owner',
  PGPASSWORD: 'hunter2 owner',
  POSTGRES_PASSWORD: 'hunter2 superuser',
  POSTGRES_API_PASSWORD: 'hunter2 api',
  POSTGRES_WORKER_PASSWORD: 'hunter2 worker',
  POSTGRES_BACKUP_PASSWORD: 'hunter2 backup',
}

test('migrate makes the owner with the superuser once, and needs the superuser no more', async () => {
  await ownDatabase() // whose server has the logins of the programs by then
  const server = new URL(inject('postgresUrl'))
  const name = `owner_${crypto.randomUUID().slice(0, 8)}`
  const hand = postgres(server.href, { max: 1, onnotice: () => undefined })
  undo.push(async () => {
    await hand.unsafe(`drop database if exists ${name} with (force)`)
    await hand.unsafe(`drop role if exists ${name}`)
    await hand.end()
  })
  const env = {
    ...ownLogins,
    DATABASE_URL: `postgres://${server.host}/${name}`,
    PGUSER: name,
    POSTGRES_USER: server.username,
    POSTGRES_PASSWORD: server.password,
  }
  const first = await launch('migrate', env).ended()
  expect([first.code, first.text]).toEqual([0, expect.stringContaining('The owner of the tables was made.')])
  const again = await launch('migrate', { ...env, POSTGRES_PASSWORD: 'of nobody' }).ended()
  expect([again.code, again.text]).toEqual([
    0,
    expect.stringMatching(/^The password of blockdraw_api was left[\s\S]*up to date/),
  ])
  const [owner] = await hand`select pg_get_userbyid(datdba) as name, rolsuper as "isSuper"
    from pg_database join pg_roles on pg_roles.oid = datdba where datname = ${name}`
  expect(owner).toEqual({ name, isSuper: false })
})

describe('V2: a database of a newer release', () => {
  test.each<Name>(['api', 'worker', 'migrate'])('is refused by %s', async (name) => {
    const database = await ownDatabase()
    await database.db.execute(sql`update schema_major set major = 99`)
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
