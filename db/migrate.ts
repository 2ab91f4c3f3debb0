import postgres from 'postgres'
import { type Env, EnvError } from '../core/server/env.ts'
import { printedPassword } from '../core/server/password.ts'
import { readEnv } from '../core/server/read-env.ts'
import { readSecretFiles } from '../core/server/secret-files.ts'
import { retry } from '../core/server/time.ts'
import { prepareDatabase } from './prepare.ts'
import { isUnknownLogin, setUpOwner } from './roles/first-set-up.ts'
import { withLogin } from './roles/login-url.ts'
import { passwordVariable } from './roles/logins.ts'
import { SchemaMisfit } from './schema-major.ts'

const reachWithinMs = 60_000

/** `bun run db:migrate`: brings the database of DATABASE_URL up to date, as the owner of its tables, then ends. */
try {
  const env = readEnv(['databaseUrl'])
  const superuserUrl = superuserOf(env)
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

/**
 * Where each program has a login of its own (PGUSER names the owner, as in compose.yaml), all passwords are needed.
 * Answers the login that the server was made with, for the first set-up; undefined where there is nothing to set up.
 */
function superuserOf({ databaseUrl, postgresPassword, rolePasswords }: Env & { databaseUrl: string }) {
  if (!hasOwnLogins(process.env)) return undefined
  const { password } = new URL(databaseUrl)
  if (!password)
    throw new EnvError('POSTGRES_OWNER_PASSWORD', 'is not set: the owner of the tables logs in with it.')
  for (const role of ['api', 'worker', 'backup'] as const)
    if (!rolePasswords[role])
      throw new EnvError(passwordVariable(role), 'is not set: see "Logins of Postgres" in the runbook.')
  if (!postgresPassword) return undefined
  if (postgresPassword === decodeURIComponent(password))
    throw new EnvError('POSTGRES_OWNER_PASSWORD', 'must differ from POSTGRES_PASSWORD.')
  return withLogin(databaseUrl, process.env.POSTGRES_USER || 'blockdraw', postgresPassword)
}

/** A DATABASE_URL that names a user is one login for everything, whatever PGUSER says. */
function hasOwnLogins(vars: NodeJS.ProcessEnv): boolean {
  const isTold = 'POSTGRES_API_PASSWORD' in vars || 'POSTGRES_API_PASSWORD_FILE' in vars
  const { DATABASE_URL = '' } = readSecretFiles({ ...vars, PGUSER: undefined })
  return Boolean(vars.PGUSER) && isTold && !new URL(DATABASE_URL).username
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
