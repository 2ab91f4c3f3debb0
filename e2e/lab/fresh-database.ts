import { randomBytes } from 'node:crypto'
import postgres from 'postgres'
import { type Connection, connect } from '../../db/index.ts'
import { migrateDatabase, migrateQueue } from '../../db/prepare.ts'

export type TestDb = Connection & { url: string }

/** An own, migrated, empty database on this server, cloned from a template in a few milliseconds; `close` drops it. */
export async function freshDatabase(serverUrl: string): Promise<TestDb> {
  const name = `test_${randomBytes(6).toString('hex')}`
  await onServer(serverUrl, async (sql) => {
    await sql`select pg_advisory_lock(hashtext('blockdraw template'))`
    const [template] = await sql`select 1 from pg_database where datname = 'blockdraw_template'`
    if (!template) await makeTemplate(sql, serverUrl)
    await sql`select pg_advisory_unlock(hashtext('blockdraw template'))`
    // By files: a third of what a copy through the log costs, where nothing is kept in the end.
    await sql.unsafe(`create database ${name} template blockdraw_template strategy file_copy`)
  })
  const url = databaseOf(serverUrl, name)
  const connection = connect(url, { max: 5, name: 'blockdraw test' })
  return {
    ...connection,
    url,
    close: async () => {
      await connection.close()
      await onServer(serverUrl, (sql) => sql.unsafe(`drop database if exists ${name} with (force)`))
    },
  }
}

/** Made under another name first: a run that was killed in the middle leaves no half template. */
async function makeTemplate(sql: postgres.Sql, serverUrl: string): Promise<void> {
  await sql.unsafe('drop database if exists blockdraw_making with (force)')
  await sql.unsafe('create database blockdraw_making')
  await migrateDatabase(databaseOf(serverUrl, 'blockdraw_making'))
  await migrateQueue(databaseOf(serverUrl, 'blockdraw_making'))
  await sql.unsafe('alter database blockdraw_making rename to blockdraw_template')
}

const servers = new Map<string, postgres.Sql>()

/** One connection for all tests of a worker; it closes by itself when nobody needs it. */
function onServer<T>(url: string, act: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = servers.get(url) ?? postgres(url, { max: 1, idle_timeout: 5, onnotice: () => undefined })
  servers.set(url, sql)
  return act(sql)
}

export function databaseOf(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}
