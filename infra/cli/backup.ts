import { createWriteStream, renameSync, rmSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { EnvError } from '../../core/server/env.ts'
import { readEnv } from '../../core/server/read-env.ts'
import { dump } from './backup/dump.ts'
import { backupName } from './backup/format.ts'

/**
 * `bun run backup [FILE]`: the database of DATABASE_URL as one file, named by its moment and the head of the audit list;
 * `-` is the standard output.
 */
const given = process.argv[2]
const half = `${given ?? `blockdraw-${process.pid}.backup.gz`}.part`
try {
  const { databaseUrl } = readEnv(['databaseUrl'])
  let name = given ?? ''
  const text = Readable.from(
    dump(databaseUrl, (head) => {
      name ||= backupName(head)
    }),
    { objectMode: false },
  )
  if (given === '-') await pipeline(text, createGzip(), process.stdout)
  else {
    // Readable only by its owner: it holds the administrators' secrets.
    await pipeline(text, createGzip(), createWriteStream(half, { mode: 0o600, flush: true }))
    renameSync(half, name)
    console.log(name)
  }
} catch (error) {
  if (given !== '-') rmSync(half, { force: true })
  console.error(error instanceof EnvError ? error.message : error)
  process.exitCode = 1
}
