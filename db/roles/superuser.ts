import { type Env, EnvError } from '../../core/server/env.ts'
import { readSecretFiles } from '../../core/server/secret-files.ts'
import { withLogin } from './login-url.ts'
import { passwordVariable } from './logins.ts'

type Vars = Readonly<Record<string, string | undefined>>

/**
 * Where each program has a login of its own (PGUSER names the owner, as in compose.yaml), all passwords are needed.
 * Answers the login that the server was made with, for the first set-up; undefined where there is nothing to set up.
 */
export function superuserOf(
  { databaseUrl, postgresPassword, rolePasswords }: Env & { databaseUrl: string },
  vars: Vars,
): string | undefined {
  if (!hasOwnLogins(vars)) return undefined
  const { password } = new URL(databaseUrl)
  if (!password)
    throw new EnvError('POSTGRES_OWNER_PASSWORD', 'is not set: the owner of the tables logs in with it.')
  for (const role of ['api', 'worker', 'backup'] as const)
    if (!rolePasswords[role])
      throw new EnvError(passwordVariable(role), 'is not set: see "Logins of Postgres" in the runbook.')
  if (!postgresPassword) return undefined
  if (postgresPassword === decodeURIComponent(password))
    throw new EnvError('POSTGRES_OWNER_PASSWORD', 'must differ from POSTGRES_PASSWORD.')
  return withLogin(databaseUrl, vars.POSTGRES_USER || 'blockdraw', postgresPassword)
}

/** A DATABASE_URL that names a user is one login for everything, whatever PGUSER says. */
function hasOwnLogins(vars: Vars): boolean {
  const isTold = 'POSTGRES_API_PASSWORD' in vars || 'POSTGRES_API_PASSWORD_FILE' in vars
  const { DATABASE_URL = '' } = readSecretFiles({ ...vars, PGUSER: undefined })
  return Boolean(vars.PGUSER) && isTold && !new URL(DATABASE_URL).username
}
