import postgres from 'postgres'
import { EnvError, readEnv } from '../core/server/env.ts'
import { printedPassword } from '../core/server/password.ts'
import { retry } from '../core/server/time.ts'
import { prepareDatabase } from './prepare.ts'
import { SchemaMisfit } from './schema-major.ts'

const reachWithinMs = 60_000

/** `bun run db:migrate`: brings the database of DATABASE_URL up to date, as the owner of its tables, then ends. */
try {
  const env = readEnv(['databaseUrl'])
  await reach(env.databaseUrl)
  const { createdAdmin, notes } = await prepareDatabase({
    databaseUrl: env.databaseUrl,
    env,
    operatorWallet: env.operatorWallet,
    vars: process.env,
  })
  for (const note of notes) console.log(note)
  console.log('The database is up to date.')
  if (createdAdmin)
    console.log(
      createdAdmin.isOneTime
        ? printedPassword(createdAdmin)
        : `Administrator ${createdAdmin.username}, with the password of ADMIN_PASSWORD`,
    )
} catch (error) {
  console.error(error instanceof EnvError || error instanceof SchemaMisfit ? error.message : error)
  process.exitCode = 1
}

/** Waits for a database that is starting at the same time, for as long as a start may take. */
async function reach(databaseUrl: string): Promise<void> {
  const deadline = Date.now() + reachWithinMs
  await retry(
    async () => {
      const client = postgres(databaseUrl, { max: 1, connect_timeout: 5, onnotice: () => undefined })
      await client`select 1`.finally(() => client.end({ timeout: 1 }))
    },
    async (error) => {
      if (Date.now() > deadline || !isOutage(error)) return false
      const { message, code } = error as Error & { code?: string }
      console.log(`Waiting for the database: ${message || code}`)
      await Bun.sleep(1_000)
      return true
    },
  )
}

/** True if a retry can help: the server is starting or cannot be found yet. A wrong password stays wrong. */
function isOutage(error: unknown): boolean {
  const { code = '' } = error as { code?: string }
  return /^(E|CONNECT|DNS_|57P0)/.test(code)
}
