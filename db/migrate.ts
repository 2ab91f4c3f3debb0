import postgres from 'postgres'
import { EnvError } from '../core/server/env.ts'
import { printedPassword } from '../core/server/password.ts'
import { readEnv } from '../core/server/read-env.ts'
import { retry } from '../core/server/time.ts'
import { prepareDatabase } from './prepare.ts'
import { isUnknownLogin, setUpOwner } from './roles/first-set-up.ts'
import { superuserOf } from './roles/superuser.ts'
import { SchemaMisfit } from './schema-major.ts'

const reachWithinMs = 60_000

/** `bun run db:migrate`: brings the database of DATABASE_URL up to date, as the owner of its tables, then ends. */
try {
  const env = readEnv(['databaseUrl'])
  const superuserUrl = superuserOf(env, process.env)
  await reach(env.databaseUrl, superuserUrl !== undefined)
  if (superuserUrl && (await setUpOwner({ ownerUrl: env.databaseUrl, superuserUrl })))
    console.log('The owner of the tables was made. The superuser is not needed any more.')
  const { createdAdmin, notes } = await prepareDatabase({
    databaseUrl: env.databaseUrl,
    env,
    operatorWallet: env.operatorWallet,
    vars: process.env,
    passwords: env.rolePasswords,
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
async function reach(databaseUrl: string, mayBeStrange: boolean): Promise<void> {
  const deadline = Date.now() + reachWithinMs
  await retry(
    async () => {
      const client = postgres(databaseUrl, { max: 1, connect_timeout: 5, onnotice: () => undefined })
      const asked = client`select 1`.finally(() => client.end({ timeout: 1 }))
      // Before the first set-up the server answers, and does not know this login.
      await asked.catch((error) => {
        if (!mayBeStrange || !isUnknownLogin(error)) throw error
      })
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
