import postgres from 'postgres'
import { endOfRows, type Head, leftOut, quoted, type TableHead, type Tail } from './format.ts'
import type { Tally } from './tally.ts'

/**
 * The whole database as text, of one snapshot: later writes are not in it, and writers do not wait. Tells the first
 * line before it is written, and adds the rows to `tally`.
 */
export async function* dump(
  databaseUrl: string,
  tellHead: (head: Head) => void = () => undefined,
  tally?: Tally,
): AsyncGenerator<string | Uint8Array> {
  // In words that do not depend on the server: a rehearsal compares them.
  const connection = {
    ...{ TimeZone: 'UTC', DateStyle: 'ISO', IntervalStyle: 'postgres' },
    ...{ bytea_output: 'hex', extra_float_digits: '1' },
  }
  const pool = postgres(databaseUrl, { max: 1, connection, onnotice: () => undefined })
  const sql = await pool.reserve()
  try {
    await sql`begin isolation level repeatable read read only`
    const [now] = await sql<{ now: Date; migrations: number; hash: string }[]>`
      select now(), count(*)::int as migrations, (array_agg(hash order by id))[1] as hash
      from drizzle.__drizzle_migrations`
    const head: Head = {
      format: 'blockdraw backup',
      version: 1,
      madeAt: (now as { now: Date }).now.toISOString(),
      migrations: now?.migrations ?? 0,
      begunWith: now?.hash ?? '',
    }
    tellHead(head)
    yield line(head)
    const tables = await tablesInOrder(sql)
    for (const { table, columns } of tables) {
      yield line({ table, columns } satisfies TableHead)
      const names = columns.map(quoted).join(', ')
      tally?.of(table)
      for await (const rows of await sql.unsafe(`copy ${quoted(table)} (${names}) to stdout`).readable()) {
        tally?.add(table, rows)
        yield rows
      }
      yield `${endOfRows}\n`
    }
    await sql`commit`
    yield line({ end: true, tables: tables.length } satisfies Tail)
  } finally {
    sql.release()
    await pool.end({ timeout: 5 })
  }
}

const line = (value: Head | TableHead | Tail): string => `${JSON.stringify(value)}\n`

/** Each table after those it refers to, so that the rows can be written in this order. */
async function tablesInOrder(sql: postgres.ReservedSql): Promise<TableHead[]> {
  const tables = await sql<TableHead[]>`
    select table_name as "table", array_agg(column_name::text order by ordinal_position) as columns
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE' and is_generated = 'NEVER'
      and table_name not in ${sql([...leftOut])} and table_name not like 'bullmq%'
    group by table_name order by table_name`
  const references = await sql<{ from: string; to: string }[]>`
    select conrelid::regclass::text as "from", confrelid::regclass::text as "to" from pg_constraint
    where contype = 'f' and conrelid <> confrelid`
  const ordered: TableHead[] = []
  const isIn = (name: string) => ordered.some(({ table }) => table === name)
  while (ordered.length < tables.length) {
    const next = tables.find(
      ({ table }) => !isIn(table) && references.every(({ from, to }) => from !== table || isIn(to)),
    )
    if (!next) throw new Error('The tables refer to each other in a circle.')
    ordered.push(next)
  }
  return ordered
}
