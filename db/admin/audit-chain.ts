import { createHash } from 'node:crypto'
import { asc, desc, sql } from 'drizzle-orm'
import type { Db } from '../index.ts'
import { audit, auditArchives, auditChain } from '../schema/index.ts'

/** A row's place in the chain of the audit list: everything up to it is fixed by its hash. */
export type Link = { id: number; hash: string }
/** A row as it is hashed. */
export type AuditLine = Link & { line: string }
export type ChainFault = { id: number; reason: string }
export type ChainVerdict = { from: Link; to: Link; rows: number; fault?: ChainFault }

/** Before the first row. */
export const chainStart: Link = { id: 0, hash: '0'.repeat(64) }

/** SHA-256 over the hash of the row before, a space and the row as one line of JSON, as UTF-8. */
const hashAfter = (former: string, line: string): string =>
  createHash('sha256').update(`${former} ${line}`).digest('hex')

/**
 * The row as Postgres writes `jsonb`: keys in its order, times in UTC to the microsecond, no key for a value before or
 * after that is not there. Spelled out here too, as a function of the database can be changed with its rows.
 */
const line = sql<string>`(jsonb_build_object('id', ${audit.id}, 'at', ${audit.at} at time zone 'UTC',
    'actor', ${audit.actor}, 'clientAddress', ${audit.clientAddress}, 'action', ${audit.action},
    'outcome', ${audit.outcome}, 'requestId', ${audit.requestId})
  || case when ${audit.before} is null then '{}' else jsonb_build_object('before', ${audit.before}) end
  || case when ${audit.after} is null then '{}' else jsonb_build_object('after', ${audit.after}) end)::text`

const pageSize = 2_000

/** Every row as a line, in the order of the chain, page by page. */
async function* auditLines(db: Db): AsyncGenerator<AuditLine[]> {
  for (let after = { id: Number.MIN_SAFE_INTEGER, time: '-infinity' }; ; ) {
    const page = await db
      .select({ id: audit.id, hash: audit.hash, line, time: sql<string>`${audit.at}::text` })
      .from(audit)
      .where(sql`(${audit.id}, ${audit.at}) > (${after.id}, ${after.time}::timestamptz)`)
      .orderBy(asc(audit.id), asc(audit.at))
      .limit(pageSize)
    const last = page.at(-1)
    if (!last) return
    yield page
    after = last
  }
}

/** The last row that was ever added. */
export async function auditHead(db: Db): Promise<Link> {
  const [head] = await db.select({ id: auditChain.lastId, hash: auditChain.hash }).from(auditChain)
  return head ?? chainStart
}

/** The last row that lies in an archive: the chain in the table goes on from it. */
export async function archivedHead(db: Db): Promise<Link> {
  const [last] = await db
    .select({ id: auditArchives.lastId, hash: auditArchives.hash })
    .from(auditArchives)
    .orderBy(desc(auditArchives.lastId))
    .limit(1)
  return last ?? chainStart
}

/** Follows a chain over pages of rows; `fault` names the first row that does not fit. */
export async function followChain(
  from: Link,
  pages: AsyncIterable<AuditLine[]>,
  see: (row: AuditLine) => void = () => undefined,
): Promise<ChainVerdict> {
  let [to, rows] = [from, 0]
  for await (const page of pages)
    for (const row of page) {
      const fault = faultOf(to, row)
      if (fault) return { from, to, rows, fault: { id: row.id, reason: fault } }
      see(row)
      to = { id: row.id, hash: row.hash }
      rows++
    }
  return { from, to, rows }
}

/** Follows the chain of the table, from what is archived to its head, as of one moment. */
export function checkChain(db: Db, see?: (row: AuditLine) => void): Promise<ChainVerdict> {
  return db.transaction(
    async (tx) => {
      const verdict = await followChain(await archivedHead(tx), auditLines(tx), see)
      const head = await auditHead(tx)
      if (verdict.fault || (head.id === verdict.to.id && head.hash === verdict.to.hash)) return verdict
      return { ...verdict, fault: { id: head.id, reason: 'it was the last one and is not there any more' } }
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
}

function faultOf(former: Link, { id, hash, line }: AuditLine): string | undefined {
  if (id <= former.id) return `it comes after row ${former.id}`
  if (hash !== hashAfter(former.hash, line))
    return `it is not what was written, or what followed row ${former.id} is gone`
  return undefined
}
