import { sql } from 'drizzle-orm'
import type { Db } from '../../db/index.ts'
import { type TestDb, testDb } from './database.ts'

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
    await database.db.execute(sql`select kept.restore()`)
    return database
  } catch {
    // A test has changed a table, or holds a lock.
    await database.close()
    return undefined
  }
}

async function newOne(): Promise<TestDb> {
  const database = await testDb()
  await keep(database.db)
  return database
}

/** Copies the few rows and numbers of an empty database; the function beside them brings them back. */
const keep = (db: Db) =>
  db.execute(
    sql.raw(`do $keep$
declare t record; is_full boolean; line text := '';
begin
  create schema kept;
  for t in
    select c.oid::regclass as name, 'kept.t' || c.oid as copy, (
      select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
      where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = ''
    ) as columns
    from pg_class c join pg_namespace n on n.oid = relnamespace
    where relkind = 'r' and relpersistence = 'p' and nspname not in ('pg_catalog', 'information_schema', 'kept')
  loop
    line := line || format('if exists (select from %1$s) then delete from %1$s; end if; ', t.name);
    execute format('select exists (select from %s)', t.name) into is_full;
    if is_full then
      execute format('create table %s as table %s', t.copy, t.name);
      line := line || format('insert into %s (%s) overriding system value select %2$s from %3$s; ', t.name, t.columns, t.copy);
    end if;
  end loop;
  for t in
    select format('%I.%I', schemaname, sequencename)::regclass as name, coalesce(last_value, start_value) as value,
      last_value is not null as is_called from pg_sequences
  loop
    line := line || format('perform setval(%L, %s, %L); ', t.name, t.value, t.is_called);
  end loop;
  execute format('create function kept.restore() returns void language plpgsql
    set session_replication_role = replica set lock_timeout = ''5s'' as %L', 'begin ' || line || 'end');
end $keep$`),
  )
