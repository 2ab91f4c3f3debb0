import { readFileSync } from 'node:fs'
import { EnvError } from './env.ts'

/** Variables that can be given as a file too, as container engines and key stores provide secrets. */
const secrets = [
  'DATABASE_URL',
  'REDIS_URL',
  'REDIS_PASSWORD',
  'RPC_URLS',
  'SECRET_KEY',
  'ANCHOR_KEY',
  'ADMIN_PASSWORD',
  'STORAGE_URL',
  'PGPASSWORD',
  'BACKUP_URL',
  'BACKUP_CHECK_URL',
]

/**
 * Puts the content of the file that `NAME_FILE` names into `NAME`, for every secret, and PGPASSWORD into a
 * DATABASE_URL, REDIS_PASSWORD into a REDIS_URL without a password, with special characters escaped. Throws EnvError naming the variable.
 */
export function readSecretFiles(given: Record<string, string | undefined>) {
  const vars = { ...given }
  for (const name of secrets) {
    const variable = `${name}_FILE`
    const file = vars[variable]?.trim()
    if (!file) continue
    if (vars[name]?.trim()) throw new EnvError(variable, `and ${name} are both set: which one counts?`)
    vars[name] = read(variable, file)
  }
  for (const [name, password] of [
    ['DATABASE_URL', vars.PGPASSWORD],
    ['REDIS_URL', vars.REDIS_PASSWORD],
  ] as const) {
    const url = vars[name]
    if (url && password && URL.canParse(url)) vars[name] = withPassword(url, password)
  }
  return vars
}

function withPassword(text: string, password: string): string {
  const url = new URL(text)
  if (!url.password) url.password = encodeURIComponent(password)
  return url.href
}

function read(variable: string, file: string): string {
  let text: string
  try {
    text = readFileSync(file, 'utf8').trim()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new EnvError(variable, `names ${file}, which cannot be read (${code}).`)
  }
  if (!text) throw new EnvError(variable, `names ${file}, which is empty.`)
  return text
}
