import { createWriteStream, renameSync, rmSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { EnvError } from '../../core/server/env.ts'
import { readEnv } from '../../core/server/read-env.ts'
import { dump } from './backup/dump.ts'

/** `bun run backup [FILE]`: the database of DATABASE_URL as one file; `-` is the standard output. */
const file =
  process.argv[2] ?? `blockdraw-${new Date().toISOString().slice(0, 19).replaceAll(':', '')}.backup.gz`
const half = `${file}.part`
try {
  const { databaseUrl } = readEnv(['databaseUrl'])
  const text = Readable.from(dump(databaseUrl), { objectMode: false })
  if (file === '-') await pipeline(text, createGzip(), process.stdout)
  else {
    // Readable only by its owner: it holds the administrators' secrets.
    await pipeline(text, createGzip(), createWriteStream(half, { mode: 0o600, flush: true }))
    renameSync(half, file)
    console.log(file)
  }
} catch (error) {
  if (file !== '-') rmSync(half, { force: true })
  console.error(error instanceof EnvError ? error.message : error)
  process.exitCode = 1
}
