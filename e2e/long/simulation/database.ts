import { sql } from 'drizzle-orm'
import { connect, type Db } from '../../../db/index.ts'
import { freshDatabase } from '../../lab/fresh-database.ts'

/**
 * A database whose `now()` and `clock_timestamp()` say what the simulation wants: both are found in a schema of
 * its own before Postgres' own, so the product's statements run as they are.
 */
export async function openSimulatedDatabase(serverUrl: string, seconds: number) {
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

/** A partitioned table stands for its parts. */
const tables = `select relname from pg_class
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`

/** Notes all rows and sequences as they are now in this schema, in place of what it held, for `restoreRows`. */
export async function keepRows(db: Db, schema = 'pristine'): Promise<void> {
  await db.execute(
    sql.raw(`
    do $$ declare t text; begin
      drop schema if exists ${schema} cascade;
      create schema ${schema};
      for t in ${tables} loop
        execute format('create table ${schema}.%I as table public.%I', t, t);
      end loop;
      create table ${schema}.kept_sequences as
        select sequencename, last_value from pg_sequences where schemaname = 'public';
    end $$`),
  )
}

/** A new database takes seconds; the old rows take milliseconds. Triggers rest, as some refuse to delete. */
export async function restoreRows(db: Db, schema = 'pristine'): Promise<void> {
  await db.execute(
    sql.raw(`
    do $$ declare t text; at bigint; begin
      set local session_replication_role = replica;
      for t in ${tables} loop
        execute format('delete from public.%I', t);
        execute format('insert into public.%I overriding system value select * from ${schema}.%I', t, t);
      end loop;
      for t, at in select sequencename, last_value from ${schema}.kept_sequences loop
        execute format('select setval(%L, %s, %L)', 'public.' || t, coalesce(at, 1), at is not null);
      end loop;
    end $$`),
  )
}
