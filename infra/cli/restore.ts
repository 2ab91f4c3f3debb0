import { createReadStream, readFileSync } from 'node:fs'
import { PassThrough, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { createGunzip } from 'node:zlib'
import { EnvError } from '../../core/server/env.ts'
import { readEnv } from '../../core/server/read-env.ts'
import { handOutPasswords, voidCredentials } from './backup/credentials.ts'
import { load, RestoreProblem } from './backup/load.ts'
import { identitiesIn, unsealed } from './backup/seal.ts'

const usage = `bun run restore FILE [--identity KEYFILE] [--reset-credentials]

  FILE                 a backup for the empty database of DATABASE_URL; - is the standard input
  --identity           opens an encrypted one (.age) with the key that \`age-keygen\` wrote
  --reset-credentials  for a backup that somebody else may have: no password, second factor or recovery code of
                       it opens anything; prints a one-time password for each administrator`

try {
  const { file, identity, isReset } = readArguments()
  if (file.endsWith('.age') && !identity)
    throw new RestoreProblem('This backup is encrypted: name the key that opens it by --identity KEYFILE.')
  const { databaseUrl } = readEnv(['databaseUrl'])
  const text = createGunzip()
  const given = file === '-' ? process.stdin : createReadStream(file)
  const reading = (async () => pipeline(identity ? await opened(given, identity) : given, text))()
  reading.catch((error) => text.destroy(error))
  const loading = load(databaseUrl, text, isReset ? { afterRows: voidCredentials } : {})
  const [{ head, rows }] = await Promise.all([loading, reading])
  console.log(`${rows} rows as of ${head.madeAt} are back. The worker reads the chain on from there.`)
  if (isReset) for (const told of await handOutPasswords(databaseUrl)) console.log(told)
} catch (error) {
  const isExpected = error instanceof EnvError || error instanceof RestoreProblem
  const { code, message } = error as NodeJS.ErrnoException
  console.error(isExpected || code === 'ENOENT' || code?.startsWith('Z_') ? message : error)
  process.exitCode = 1
}

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { identity: { type: 'string' }, 'reset-credentials': { type: 'boolean' } },
    })
    const [file, ...more] = positionals
    if (file === undefined || more.length > 0) throw new Error('which file?')
    return { file, identity: values.identity, isReset: values['reset-credentials'] === true }
  } catch {
    throw new RestoreProblem(usage)
  }
}

async function opened(given: Readable, keyFile: string): Promise<Readable> {
  const identities = identitiesIn(readFileSync(keyFile, 'utf8'))
  if (identities.length === 0) throw new RestoreProblem(`${keyFile} holds no key of age.`)
  const bytes = given.pipe(new PassThrough())
  given.on('error', (error) => bytes.destroy(error))
  try {
    return await unsealed(bytes, identities)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code) throw error
    throw new RestoreProblem(`The key does not open this backup: ${(error as Error).message}`)
  }
}
