import { Readable } from 'node:stream'
import postgres from 'postgres'
import { connect } from '../../db/index.ts'
import { migrateQueue } from '../../db/prepare.ts'
import { grantRights } from '../../db/roles/grant.ts'
import { dump } from '../../infra/cli/backup/dump.ts'
import { load } from '../../infra/cli/backup/load.ts'
import type { Stack } from './stack.ts'

/** Takes a backup; calling what it answers puts the database back to that moment, while neither API nor worker runs. */
export async function backUp({ databaseUrl }: Stack): Promise<() => Promise<void>> {
  const parts: Uint8Array[] = []
  for await (const part of dump(databaseUrl)) parts.push(Buffer.from(part))
  return async () => {
    await empty(databaseUrl)
    await load(databaseUrl, Readable.from(parts))
    await migrateQueue(databaseUrl)
    await grantAgain(databaseUrl)
  }
}

/** As `db:migrate` does before anything else starts. */
async function grantAgain(databaseUrl: string): Promise<void> {
  const { db, close } = connect(databaseUrl, { max: 1, name: 'blockdraw e2e' })
  await grantRights(db).finally(close)
}

async function empty(databaseUrl: string): Promise<void> {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => undefined })
  try {
    const schemas = await sql<{ name: string }[]>`
      select nspname as name from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema'`
    for (const { name } of schemas) await sql.unsafe(`drop schema "${name}" cascade`)
    await sql.unsafe('create schema public')
  } finally {
    await sql.end()
  }
}
