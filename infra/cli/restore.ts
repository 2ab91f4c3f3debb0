import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { EnvError } from '../../core/server/env.ts'
import { readEnv } from '../../core/server/read-env.ts'
import { load, RestoreProblem } from './backup/load.ts'

/** `bun run restore FILE`: a backup into the empty database of DATABASE_URL; `-` is the standard input. */
try {
  const file = process.argv[2]
  if (!file) throw new RestoreProblem('Which backup? `bun run restore FILE`, or `-` for the standard input.')
  const { databaseUrl } = readEnv(['databaseUrl'])
  const text = createGunzip()
  const reading = pipeline(file === '-' ? process.stdin : createReadStream(file), text)
  const [{ head, rows, audit }] = await Promise.all([load(databaseUrl, text), reading])
  console.log(`${rows} rows as of ${head.madeAt} are back. The worker reads the chain on from there.`)
  const { fault, to } = audit
  if (fault)
    console.error(`The audit list was changed before the backup: row ${fault.id}, as ${fault.reason}.`)
  else console.log(`The audit list holds, to row ${to.id} ${to.hash}`)
} catch (error) {
  const isExpected = error instanceof EnvError || error instanceof RestoreProblem
  const { code, message } = error as NodeJS.ErrnoException
  console.error(isExpected || code === 'ENOENT' || code?.startsWith('Z_') ? message : error)
  process.exitCode = 1
}
