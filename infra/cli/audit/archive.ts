import { basename, resolve } from 'node:path'
import { dropArchived, hasBegun, listAuditArchives, rowsBefore } from '../../../db/admin/audit-archives.ts'
import { type AuditLine, archivedHead, checkChain } from '../../../db/admin/audit-chain.ts'
import type { Db } from '../../../db/index.ts'
import { isLocked } from '../../../db/locked.ts'
import { CliRefusal } from '../refusal.ts'
import { archiveWriter } from './archive-file.ts'
import { optionsOf } from './options.ts'

type Note = (tx: Db, after: unknown) => Promise<void>

export const isAuditArchive = (words: readonly string[]): boolean => {
  const { '--before': before, '--to': to } = optionsOf(words, ['--before', '--to']) ?? {}
  return before?.length === 1 && to?.length === 1
}

/**
 * Moves the months before one into a file and drops them. The whole chain is checked first; the file is complete and
 * on the disk before anything is dropped, so a run that was cut off is simply run again.
 */
export async function archiveAudit(db: Db, words: readonly string[], note: Note): Promise<{ text: string }> {
  const options = optionsOf(words, ['--before', '--to'])
  const [before = '', file = ''] = [options?.['--before'][0], resolve(options?.['--to'][0] ?? '')]
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(before))
    throw new CliRefusal(`"${before}" is no month, such as 2026-11.`)
  if (!(await hasBegun(db, before)))
    throw new CliRefusal(`${before} has not begun: its month before is not over.`)
  const { below, rows } = await rowsBefore(db, before)
  if (rows === 0) return { text: await nothingLeft(db, before) }

  const writer = archiveWriter(file, await archivedHead(db))
  try {
    let last: AuditLine | undefined
    const { fault } = await checkChain(db, (row) => {
      if (row.id >= below) return
      writer.add(row)
      last = row
    })
    if (fault)
      throw new CliRefusal(
        `Nothing is archived: the audit list was changed at row ${fault.id}, as ${fault.reason}.`,
      )
    if (!last) throw new CliRefusal('Nothing is archived: the rows are gone meanwhile.')
    const sha256 = writer.finish()
    const { id, hash } = last
    const archived = { below, rows, last: { id, hash }, before, file: basename(file), sha256 }
    const isDropped = await dropArchived(db, archived, (tx) =>
      note(tx, { before, rows, lastId: id, hash, sha256 }),
    ).catch((error) => {
      if (!isLocked(error)) throw error
      throw new CliRefusal('Nothing is dropped: the audit list is being read, as by a backup. Run it again.')
    })
    if (!isDropped) throw new CliRefusal('Nothing is dropped: the rows have changed meanwhile. Run it again.')
    return {
      text: `${rows} rows up to row ${id} lie in ${file}, SHA-256 ${sha256}, and the months before ${before} are dropped.`,
    }
  } finally {
    writer.close()
  }
}

async function nothingLeft(db: Db, before: string): Promise<string> {
  const last = (await listAuditArchives(db)).at(-1)
  const known =
    last && ` The last archive is ${last.fileName}, up to row ${last.lastId}, SHA-256 ${last.fileSha256}.`
  return `No row is left from before ${before}.${known ?? ''}`
}
