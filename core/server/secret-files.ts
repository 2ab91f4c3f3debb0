import { readFileSync } from 'node:fs'
import { EnvError } from './env.ts'

/** Variables that can be given as a file too, as container engines and key stores provide secrets. @internal */
export const secretVariables = [
  'DATABASE_URL',
  'REDIS_URL',
  'RPC_URLS',
  'SECRET_KEY',
  'SECRET_KEY_OLD',
  'ANCHOR_KEY',
  'ADMIN_PASSWORD',
  'STORAGE_URL',
  'PGPASSWORD',
] as const
/** Those that a place may do without: an empty file is none. */
const spare: readonly string[] = ['ANCHOR_KEY']

/**
 * Puts the content of the file that `NAME_FILE` names into `NAME`, for every secret, PGUSER into a DATABASE_URL
 * without a user, as drivers do, and PGPASSWORD into one without a password, with special characters escaped. Throws EnvError naming the variable.
 */
export function readSecretFiles(given: Record<string, string | undefined>) {
  const vars = { ...given }
  for (const name of secretVariables) {
    const variable = `${name}_FILE`
    const file = vars[variable]?.trim()
    if (!file) continue
    if (vars[name]?.trim()) throw new EnvError(variable, `and ${name} are both set: which one counts?`)
    vars[name] = read(variable, file, spare.includes(name))
  }
  const { DATABASE_URL: url, PGUSER, PGPASSWORD } = vars
  if (url && (PGUSER || PGPASSWORD) && URL.canParse(url))
    vars.DATABASE_URL = withLogin(url, PGUSER, PGPASSWORD)
  return vars
}

function withLogin(text: string, user: string | undefined, password: string | undefined): string {
  const url = new URL(text)
  if (user && !url.username) url.username = encodeURIComponent(user)
  if (password && !url.password) url.password = encodeURIComponent(password)
  return url.href
}

function read(variable: string, file: string, mayBeEmpty: boolean): string {
  let text: string
  try {
    text = readFileSync(file, 'utf8').trim()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new EnvError(variable, `names ${file}, which cannot be read (${code}).`)
  }
  if (!text && !mayBeEmpty) throw new EnvError(variable, `names ${file}, which is empty.`)
  return text
}
