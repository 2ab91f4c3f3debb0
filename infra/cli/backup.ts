import { createWriteStream, renameSync, rmSync } from 'node:fs'
import { basename } from 'node:path'
import { Readable, type Writable } from 'node:stream'
import { EnvError } from '../../core/server/env.ts'
import { readEnv } from '../../core/server/read-env.ts'
import { connect } from '../../db/index.ts'
import { noteBackupMade } from '../../db/notify/outside.ts'
import { dump } from './backup/dump.ts'
import { backupName } from './backup/names.ts'
import { writeBackup } from './backup/write.ts'

/**
 * `bun run backup [FILE]`: the database of DATABASE_URL as one file, named by its moment;
 * `-` is the standard output. Encrypted where BACKUP_AGE_RECIPIENT is set.
 */
const given = process.argv[2]
const half = `${given ?? `blockdraw-${process.pid}.backup.gz`}.part`
try {
  const { databaseUrl, backupRecipients } = readEnv(['databaseUrl'])
  let name = given ?? ''
  const text = Readable.from(
    dump(databaseUrl, (head) => {
      name ||= backupName(head, backupRecipients.length > 0)
    }),
    { objectMode: false },
  )
  const write = (target: Writable) => writeBackup(text, backupRecipients, target)
  if (given === '-') await write(process.stdout)
  else {
    // Readable only by its owner: it holds the administrators' secrets.
    await write(createWriteStream(half, { mode: 0o600, flush: true }))
    renameSync(half, name)
    console.log(name)
    await note(databaseUrl, name)
  }
} catch (error) {
  if (given !== '-') rmSync(half, { force: true })
  console.error(error instanceof EnvError ? error.message : error)
  process.exitCode = 1
}

/** The dashboard looks for a backup of these days. A login that may not write leaves it at that. */
async function note(databaseUrl: string, name: string): Promise<void> {
  const { db, close } = connect(databaseUrl, { max: 1, name: 'blockdraw backup' })
  const made = { name: basename(name), at: new Date().toISOString(), isOffSite: false }
  await noteBackupMade(db, made).catch(() => undefined)
  await close()
}
