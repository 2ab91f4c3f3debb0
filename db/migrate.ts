import postgres from 'postgres'
import { EnvError, parseEnv } from '../core/server/env.ts'
import { readSecretFiles } from '../core/server/secret-files.ts'
import { prepareDatabase } from './prepare.ts'
import { SchemaMisfit } from './schema-major.ts'

const patienceMs = 60_000

/** `bun run db:migrate`: brings the database of DATABASE_URL up to date, then ends. */
try {
  const env = parseEnv(readSecretFiles(process.env))
  if (!env.databaseUrl) throw new EnvError('DATABASE_URL', 'is not set: which database is to be migrated?')
  await reach(env.databaseUrl)
  const { createdAdmin } = await prepareDatabase({
    databaseUrl: env.databaseUrl,
    env,
    operatorWallet: env.operatorWallet,
  })
  console.log('The database is up to date.')
  if (createdAdmin)
    console.log(
      env.adminPassword
        ? `Administrator ${createdAdmin.username}, with the password of ADMIN_PASSWORD`
        : `Administrator ${createdAdmin.username}, one-time password ${createdAdmin.password}`,
    )
} catch (error) {
  console.error(error instanceof EnvError || error instanceof SchemaMisfit ? error.message : error)
  process.exitCode = 1
}

/** Waits for a database that is starting at the same time, for as long as a start may take. */
async function reach(databaseUrl: string): Promise<void> {
  const deadline = Date.now() + patienceMs
  for (;;) {
    const client = postgres(databaseUrl, { max: 1, connect_timeout: 5, onnotice: () => undefined })
    try {
      await client`select 1`
      return
    } catch (error) {
      if (Date.now() > deadline || !isOutage(error)) throw error
      console.log(
        `Waiting for the database: ${(error as Error).message || (error as { code?: string }).code}`,
      )
    } finally {
      await client.end({ timeout: 1 })
    }
    await Bun.sleep(1_000)
  }
}

/** True if a retry can help: the server is starting or cannot be found yet. A wrong password stays wrong. */
function isOutage(error: unknown): boolean {
  const { code = '' } = error as { code?: string }
  return /^(E|CONNECT|DNS_|57P0)/.test(code)
}
