import postgres from 'postgres'
import { causesOf } from '../../core/server/time.ts'
import { scramSecret } from './scram.ts'

type Options = {
  /** The login that is to own database and tables, with its password, and the database. */
  ownerUrl: string
  /** A superuser of the server: the one that the server was made with. */
  superuserUrl: string
}

/**
 * Makes the owner and its database, as a superuser, where the owner cannot log in or an older release has left tables
 * to somebody else; from then on nothing runs as a superuser. False when all of it was there. Safe to run again
 * after an interruption, and while the release before is running.
 */
export async function setUpOwner({ ownerUrl, superuserUrl }: Options): Promise<boolean> {
  if (await ownsAll(ownerUrl)) return false
  const database = new URL(ownerUrl).pathname.slice(1)
  const server = open(superuserUrl, 'postgres')
  try {
    await makeOwner(server, ownerUrl)
    await makeDatabase(server, database, userOf(ownerUrl))
  } finally {
    await server.end({ timeout: 5 })
  }
  const inside = open(superuserUrl, database)
  try {
    await handOver(inside, userOf(ownerUrl))
  } finally {
    await inside.end({ timeout: 5 })
  }
  return true
}

/** Wrong password or no such role, no such login, no such database, no right to connect. */
const loginCodes = new Set(['28P01', '28000', '3D000', '42501'])

/** True when the server answers and does not let this login in, or has no such database. */
export const isUnknownLogin = (error: unknown): boolean =>
  causesOf(error).some((cause) => loginCodes.has(String((cause as { code?: unknown }).code)))

/** True when this login reaches the database, and everything in our schemas is its own. */
async function ownsAll(ownerUrl: string): Promise<boolean> {
  const sql = postgres(ownerUrl, { max: 1, connect_timeout: 10, onnotice: () => undefined })
  try {
    return (await foreignThings(sql, userOf(ownerUrl))).length === 0
  } catch (error) {
    if (isUnknownLogin(error)) return false
    throw error
  } finally {
    await sql.end({ timeout: 5 })
  }
}

async function makeOwner(server: postgres.Sql, ownerUrl: string): Promise<void> {
  const user = userOf(ownerUrl)
  const secret = scramSecret(decodeURIComponent(new URL(ownerUrl).password))
  const [found] = await server`select 1 from pg_roles where rolname = ${user}`
  const verb = found ? 'alter' : 'create'
  // It makes the logins of the programs; and a database for the rehearsal of a backup.
  await server.unsafe(`${verb} role "${user}" login createrole createdb password '${secret}'`)
}

async function makeDatabase(server: postgres.Sql, database: string, user: string): Promise<void> {
  const [found] = await server<{ owner: string }[]>`
    select pg_get_userbyid(datdba) as owner from pg_database where datname = ${database}`
  if (!found) await server.unsafe(`create database "${database}" owner "${user}"`)
  else if (found.owner !== user) await server.unsafe(`alter database "${database}" owner to "${user}"`)
}

const tries = 30

/** One thing at a time: a lock on all tables at once would meet the transactions of the release that is running. */
async function handOver(sql: postgres.Sql, user: string): Promise<void> {
  await sql`set lock_timeout = '2s'`
  for (let failed = 0; ; failed++) {
    const statements = await foreignThings(sql, user)
    if (statements.length === 0) return
    try {
      for (const statement of statements) await sql.unsafe(statement)
    } catch (error) {
      if (!['55P03', '40P01'].includes(String((error as { code?: unknown }).code)) || failed >= tries)
        throw error
    }
  }
}

/** What gives the rest of our schemas to this user, statement by statement. */
async function foreignThings(sql: postgres.Sql, user: string): Promise<string[]> {
  const rows = await sql<{ statement: string }[]>`
    with spaces as (select * from pg_namespace where nspname in ('public', 'drizzle', 'bullmq')),
    things as (
      select oid as id, 0 as place, 'database' as kind, quote_ident(datname) as name, datdba as owner
      from pg_database where datname = current_database()
      union all
      select oid, 1, 'schema', quote_ident(nspname) as name, nspowner as owner from spaces
      union all
      select c.oid, case relkind when 'S' then 3 else 2 end,
        case relkind when 'S' then 'sequence' when 'v' then 'view' when 'm' then 'materialized view' else 'table' end,
        c.oid::regclass::text, relowner
      from pg_class c join spaces s on s.oid = relnamespace
      where relkind in ('r', 'p', 'v', 'm', 'S') and not exists (
        -- The sequence of a column goes with its table.
        select from pg_depend where classid = 'pg_class'::regclass and objid = c.oid and deptype in ('a', 'i') and relkind = 'S')
      union all
      select p.oid, 4, 'function', p.oid::regprocedure::text, proowner from pg_proc p join spaces s on s.oid = pronamespace
      union all
      select t.oid, 5, 'type', t.oid::regtype::text, typowner from pg_type t join spaces s on s.oid = typnamespace
      where typtype in ('e', 'd')
    )
    select format('alter %s %s owner to %I', kind, name, ${user}::text) as statement from things
    where owner <> all (array(select oid from pg_roles where rolname in (${user}, 'pg_database_owner')))
      and not exists (select from pg_depend where objid = id and deptype = 'e')
    order by place, name`
  return rows.map(({ statement }) => statement)
}

const userOf = (url: string): string => decodeURIComponent(new URL(url).username)

function open(superuserUrl: string, database: string): postgres.Sql {
  const url = new URL(superuserUrl)
  url.pathname = `/${database}`
  return postgres(url.href, { max: 1, connect_timeout: 10, onnotice: () => undefined })
}
