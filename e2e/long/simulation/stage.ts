import { sql } from 'drizzle-orm'
import { parseEnv } from '../../../core/server/env.ts'
import { hashPassword } from '../../../core/server/password.ts'
import { createFirstAdmin } from '../../../db/admin/admins.ts'
import { applyEnvironment } from '../../../db/event/environment.ts'
import { connect, type Db } from '../../../db/index.ts'
import { freshDatabase, keepRows, restoreRows } from '../../lab/fresh-database.ts'
import { firstSale, wallets } from './simulated-chain.ts'

/** Where stories are played one after the other: a database that returns to the day on which event 1 opened. */
export type Stage = Awaited<ReturnType<typeof openStage>>

export const baseEnv: Readonly<Record<string, string>> = {
  SALE_LEAD_SECONDS: '10',
  // No queue is opened: the simulation runs the jobs itself.
  REDIS_URL: 'redis://127.0.0.1:1',
}

/** Who is there in each story. */
export const admin = { username: 'admin', password: 'nobody logs in here 31' }

export async function openStage(postgresUrl: string) {
  const { db, url: databaseUrl, close } = await openSimulatedDatabase(postgresUrl, firstSale - 1)
  await applyEnvironment(db, parseEnv(baseEnv), wallets[0])
  await createFirstAdmin(db, {
    ...{ username: admin.username, isOneTime: false },
    passwordHash: await hashPassword(admin.password),
  })
  await keepRows(db)
  return {
    ...{ db, databaseUrl, close },
    reset: async () => {
      await restoreRows(db)
      await setDatabaseClock(db, firstSale)
    },
  }
}

/** A database whose `now()` and `clock_timestamp()`, found in a schema before Postgres' own, say what the simulation wants. */
async function openSimulatedDatabase(serverUrl: string, seconds: number) {
  const fresh = await freshDatabase(serverUrl)
  await fresh.db.execute(sql`create schema simulated`)
  await fresh.db.execute(sql`create table simulated.clock (at timestamptz not null)`)
  await fresh.db.execute(sql`insert into simulated.clock values (to_timestamp(${seconds}))`)
  for (const name of ['now', 'clock_timestamp'])
    await fresh.db.execute(
      sql.raw(`create function simulated.${name}() returns timestamptz language sql stable
        as 'select at from simulated.clock'`),
    )
  // Functions of the product that run as the owner of its tables ask the same clock.
  await fresh.db.execute(sql`grant usage on schema simulated to public`)
  await fresh.db.execute(sql`grant select on simulated.clock to public`)
  for (const { statement } of await fresh.db.execute<{ statement: string }>(defaultsOfColumns))
    await fresh.db.execute(sql.raw(statement))
  const name = new URL(fresh.url).pathname.slice(1)
  const path = 'set search_path = simulated, pg_catalog, public'
  await fresh.db.execute(sql.raw(`alter database ${name} ${path}`))
  for (const { statement } of await fresh.db.execute<{ statement: string }>(functionsWithClock(path)))
    await fresh.db.execute(sql.raw(statement))
  const clocked = connect(fresh.url, { max: 5, name: 'blockdraw simulation' })
  return {
    db: clocked.db,
    url: fresh.url,
    close: async () => {
      await clocked.close()
      await fresh.close()
    },
  }
}

export async function setDatabaseClock(db: Db, seconds: number): Promise<void> {
  await db.execute(sql`update simulated.clock set at = to_timestamp(${seconds})`)
}

/** A default was bound to Postgres' own clock when its table was made. */
const defaultsOfColumns = sql`
  select format('alter table %I.%I alter column %I set default simulated.now()',
    table_schema, table_name, column_name) as statement
  from information_schema.columns where column_default = 'now()' and table_schema = 'public'`

/** Functions name the schemas that they look into; migrating this database again would name the old ones. */
const functionsWithClock = (path: string) => sql`
  select format('alter function %s %s', oid::regprocedure, ${path}::text) as statement from pg_proc
  where pronamespace = 'public'::regnamespace and prosrc ~ '\\m(now|clock_timestamp)\\('`
