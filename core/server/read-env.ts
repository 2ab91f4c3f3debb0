import { type Env, EnvError, parseEnv } from './env.ts'
import { readSecretFiles } from './secret-files.ts'

/** As Env, with these set. */
type EnvWith<K extends keyof Env> = Env & { [N in K]: NonNullable<Env[N]> }

/** The environment of this process, secret files included. Throws EnvError for a bad or a missing `needed` one. */
export function readEnv<K extends keyof Env = never>(
  needed: readonly K[] = [],
  vars: Readonly<Record<string, string | undefined>> = process.env,
): EnvWith<K> {
  const env = parseEnv(readSecretFiles(vars))
  for (const key of needed) {
    const value = env[key]
    if (value === undefined || (Array.isArray(value) && value.length === 0))
      throw new EnvError(variableOf(key), 'is not set.')
  }
  return env as EnvWith<K>
}

/** As readEnv, for servers: a bad environment ends the process with one sentence. */
export function readEnvOrExit<K extends keyof Env>(needed: readonly K[]): EnvWith<K> {
  try {
    return readEnv(needed)
  } catch (error) {
    return exitFor(error)
  }
}

/** Ends the process with the sentence of an EnvError; throws everything else. */
export function exitFor(error: unknown): never {
  if (!(error instanceof EnvError)) throw error
  console.error(error.message)
  process.exit(1)
}

/** `databaseUrl` is DATABASE_URL. */
const variableOf = (key: string): string => key.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()
