import { listAuditArchives } from '../../../db/admin/audit-archives.ts'
import { auditHead, chainStart, checkChain, type Link } from '../../../db/admin/audit-chain.ts'
import type { Db } from '../../../db/index.ts'
import { CliRefusal } from '../refusal.ts'
import { readArchive } from './archive-file.ts'
import { optionsOf } from './options.ts'

export const isAuditCheck = (words: readonly string[]): boolean =>
  optionsOf(words, ['--head', '--archive']) !== undefined

const broken = 1
const unknown = 2

/**
 * Follows the chain of the audit list: the archives that are given, then the table, and looks for the heads that are
 * given, bare or as a backup's name. Throws CliRefusal, with exit code 1 when the list was changed and 2 when a head
 * may lie in an archive that was not given.
 */
export async function checkAudit(db: Db, words: readonly string[]): Promise<{ text: string }> {
  const options = optionsOf(words, ['--head', '--archive'])
  const heads = new Map((options?.['--head'] ?? []).map((text) => [hashIn(text), 0]))
  heads.delete(chainStart.hash)
  const find = ({ id, hash }: Link): void => void (heads.has(hash) && heads.set(hash, id))
  const told: string[] = []

  const read = new Set<string>()
  for (const file of options?.['--archive'] ?? []) {
    const { text, sha256 } = await checkArchive(db, file, find)
    told.push(text)
    read.add(sha256)
  }
  const { from, to, rows, fault } = await checkChain(db, find)
  if (fault)
    throw new CliRefusal(
      [...told, `The audit list was changed: row ${fault.id}, as ${fault.reason}.`].join('\n'),
      broken,
    )
  find(from)
  const beginning = from.id === 0 ? 'from the first on' : `after row ${from.id}, the last in an archive`
  told.push(`The audit list holds: ${rows} rows ${beginning}, to row ${to.id} ${to.hash}`)
  const lost = [...heads].filter(([, id]) => id === 0).map(([hash]) => hash)
  if (lost.length === 0)
    return { text: [...told, ...[...heads].map(([hash, id]) => `Head ${hash} is row ${id}.`)].join('\n') }
  const archives = await listAuditArchives(db)
  if (archives.every(({ fileSha256 }) => read.has(fileSha256)))
    throw new CliRefusal(`The audit list was changed: no row is head ${lost[0]}.`, broken)
  throw new CliRefusal(
    `Head ${lost[0]} is neither in the table nor in the archives given: give them all by --archive.`,
    unknown,
  )
}

/** The last row as a part of a backup's name. */
export async function tellAuditHead(db: Db): Promise<{ text: string }> {
  const { id, hash } = await auditHead(db)
  return { text: `${id}-${hash}` }
}

async function checkArchive(db: Db, file: string, find: (link: Link) => void) {
  const { from, to, rows, fault, sha256 } = await readArchive(file, find)
  if (fault) throw new CliRefusal(`${file} was changed: row ${fault.id}, as ${fault.reason}.`, broken)
  const known = await listAuditArchives(db)
  const at = known.findIndex(({ fileSha256 }) => fileSha256 === sha256)
  const [former, own] = [known[at - 1], known[at]]
  if (own?.lastId !== to.id || own.hash !== to.hash || (former?.hash ?? chainStart.hash) !== from.hash)
    throw new CliRefusal(`${file} is not an archive that this database knows, or was changed.`, broken)
  return { text: `${file} holds: ${rows} rows, from ${from.id + 1} to ${to.id}, SHA-256 ${sha256}`, sha256 }
}

function hashIn(text: string): string {
  const [hash] = /(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/.exec(text) ?? []
  if (!hash) throw new CliRefusal(`"${text.slice(0, 120)}" holds no hash of 64 digits.`, broken)
  return hash
}
