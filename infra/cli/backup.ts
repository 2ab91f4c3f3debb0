import { createWriteStream, renameSync, rmSync } from 'node:fs'
import { Readable, type Writable } from 'node:stream'
import { EnvError } from '../../core/server/env.ts'
import { readEnv } from '../../core/server/read-env.ts'
import { dump } from './backup/dump.ts'
import { writeBackup } from './backup/write.ts'

/**
 * `bun run backup [FILE]`: the database of DATABASE_URL as one file; `-` is the standard output. Encrypted where
 * BACKUP_AGE_RECIPIENT is set.
 */
const file =
  process.argv[2] ?? `blockdraw-${new Date().toISOString().slice(0, 19).replaceAll(':', '')}.backup.gz`
const half = `${file}.part`
try {
  const { databaseUrl, backupRecipients } = readEnv(['databaseUrl'])
  const text = Readable.from(dump(databaseUrl), { objectMode: false })
  const write = (target: Writable) => writeBackup(text, backupRecipients, target)
  if (file === '-') await write(process.stdout)
  else {
    // Readable only by its owner: it holds the administrators' secrets.
    await write(createWriteStream(half, { mode: 0o600, flush: true }))
    renameSync(half, file)
    console.log(file)
  }
} catch (error) {
  if (file !== '-') rmSync(half, { force: true })
  console.error(error instanceof EnvError ? error.message : error)
  process.exitCode = 1
}
