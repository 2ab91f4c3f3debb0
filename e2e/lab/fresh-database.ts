import { randomBytes } from 'node:crypto'
import postgres from 'postgres'
import { type Connection, connect, type Db } from '../../db/index.ts'
import { loginOf, makeLogins, type RoleName, roles } from '../../db/logins.ts'
import { migrateDatabase, migrateQueue } from '../../db/prepare.ts'

/** Its `db` is the test's own hand: the owner and a superuser, who can also make another past. */
export type TestDb = Connection & {
  /** As the owner of the tables, as `db:migrate` works. */
  url: string
  /** As one of the programs. */
  urlOf: (role: RoleName) => string
  /** A pool as one of the programs has it, to run their code in a test; closed with the database. */
  dbOf: (role: RoleName) => Db
}

/**
 * An own, migrated, empty database on this server, cloned from a template in a few milliseconds; `close` drops it.
 * `serverUrl` is the superuser's.
 */
export async function freshDatabase(serverUrl: string): Promise<TestDb> {
  const name = `test_${randomBytes(6).toString('hex')}`
  const { sql, release } = shareServer(serverUrl)
  const template = templates.get(serverUrl) ?? haveTemplate(serverUrl)
  templates.set(serverUrl, template)
  await template
  // By files: a third of what a copy through the log costs, where nothing is kept in the end.
  await sql.unsafe(`create database ${name} template blockdraw_template strategy file_copy`)
  // A template hands on everything but this.
  await sql.unsafe(`revoke all on database ${name} from public`)
  await sql.unsafe(`grant connect on database ${name} to ${Object.values(roles).join(', ')}`)
  const url = databaseOf(serverUrl, name)
  const connection = connect(url, { max: 5, name: 'blockdraw test' })
  const pools = new Map<RoleName, Connection>()
  const poolOf = (role: RoleName) => connect(loginOf(url, role), { max: 5, name: `blockdraw test ${role}` })
  const end = async () => {
    await Promise.all([connection, ...pools.values()].map((pool) => pool.close()))
    await sql.unsafe(`drop database if exists ${name} with (force)`)
    await release()
  }
  let closing: Promise<void> | undefined
  return {
    ...connection,
    url,
    urlOf: (role) => loginOf(url, role),
    dbOf: (role) => {
      const pool = pools.get(role) ?? poolOf(role)
      pools.set(role, pool)
      return pool.db
    },
    close: () => {
      closing ??= end()
      return closing
    },
  }
}

const templates = new Map<string, Promise<void>>()

/**
 * Once a worker; the lock is for the other workers. It belongs to a connection that is never closed for being idle: the
 * next worker would begin anew, and take the half template from under the first.
 */
async function haveTemplate(serverUrl: string): Promise<void> {
  const sql = postgres(serverUrl, { max: 1, onnotice: () => undefined })
  try {
    await sql`select pg_advisory_lock(hashtext('blockdraw template'))`
    const [template] = await sql`select 1 from pg_database where datname = 'blockdraw_template'`
    if (!template) await makeTemplate(sql, serverUrl)
  } finally {
    await sql.end()
  }
}

/** Made under another name first: a run that was killed in the middle leaves no half template. */
async function makeTemplate(sql: postgres.Sql, serverUrl: string): Promise<void> {
  await sql.unsafe('drop database if exists blockdraw_making with (force)')
  await sql.unsafe('create database blockdraw_making')
  const url = databaseOf(serverUrl, 'blockdraw_making')
  await migrateDatabase(url)
  await migrateQueue(url)
  await makeLogins(url)
  await sql.unsafe('alter database blockdraw_making rename to blockdraw_template')
}

type Server = { sql: postgres.Sql; users: number }
const servers = new Map<string, Server>()

/** One connection for all databases that a worker has open at once; it is closed with the last of them. */
function shareServer(url: string): { sql: postgres.Sql; release: () => Promise<void> } {
  const server = servers.get(url) ?? { sql: postgres(url, { max: 1, onnotice: () => undefined }), users: 0 }
  servers.set(url, server)
  server.users += 1
  return {
    sql: server.sql,
    release: async () => {
      server.users -= 1
      if (server.users > 0) return
      servers.delete(url)
      await server.sql.end()
    },
  }
}

export function databaseOf(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}
