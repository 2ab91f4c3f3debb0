import { sql } from 'drizzle-orm'
import { queueNames } from '../../core/jobs.ts'
import type { Db } from '../index.ts'
import { type Found, foundObjects, foundRoles } from './found.ts'
import { type Rights, type RoleName, roles, tableRights } from './rights.ts'

const words = { s: 'SELECT', i: 'INSERT', u: 'UPDATE', d: 'DELETE' } as const
const named = (rights: Rights | 'siud'): string[] =>
  [...rights].map((letter) => words[letter as keyof typeof words])

/**
 * Gives each login exactly what `rights.ts` says, and takes everything else from it and from PUBLIC. Changes only
 * what differs, in one transaction: programs that are running notice nothing. False without any of the logins, and
 * nothing is done: one DATABASE_URL then serves all programs.
 */
export async function grantRights(db: Db): Promise<boolean> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('blockdraw rights'))`)
    const present = await foundRoles(tx)
    if (present.length === 0) return false
    const statements = (await foundObjects(tx)).flatMap((object) => changesOf(object, present))
    if (statements.length > 0) await tx.execute(sql.raw(statements.join(';\n')))
    return true
  })
}

/** What makes one object's rights those that are wanted. */
function changesOf(object: Found, present: readonly RoleName[]): string[] {
  const { kind, name, granted, isPinned } = object
  const changes = [['PUBLIC', 'public', [] as string[]] as const, ...present.map(wantedBy(object))].flatMap(
    ([grantee, key, wanted]) => {
      const has = granted[key] ?? []
      if (has.join() === [...wanted].sort().join()) return []
      const revoke = has.length > 0 ? [`REVOKE ALL ON ${kind} ${name} FROM ${grantee}`] : []
      return wanted.length > 0
        ? [...revoke, `GRANT ${wanted.join(', ')} ON ${kind} ${name} TO ${grantee}`]
        : revoke
    },
  )
  // Else whoever may make temporary tables could put one of his own in the place of ours.
  return isPinned ? changes : [...changes, `ALTER FUNCTION ${name} SET search_path = public, pg_temp`]
}

const wantedBy = (object: Found) => (role: RoleName) =>
  [roles[role], roles[role], wantedOn(object, role)] as const

function wantedOn({ kind, schema, table, isOpen }: Found, role: RoleName): string[] {
  const isQueue = schema === 'bullmq'
  if (isQueue && role === 'backup') return []
  switch (kind) {
    case 'DATABASE':
      return ['CONNECT']
    case 'SCHEMA':
      return ['USAGE']
    case 'TABLE':
      if (schema === 'drizzle') return ['SELECT']
      return named(isQueue ? (table === 'migration' ? 's' : 'siud') : rightsOn(table, role))
    case 'SEQUENCE':
      return isQueue || rightsOn(table, role).includes('i') ? ['USAGE'] : []
    case 'FUNCTION':
      return isOpen ? ['EXECUTE'] : []
  }
}

/** Nothing on a table that is not in the list, partitions among them: they are reached through their parent. */
const rightsOn = (table: string, role: RoleName): Rights =>
  (tableRights as Record<string, Record<RoleName, Rights>>)[table]?.[role] ?? ''

/** BullMQ would make these sequences with the first job of a queue, which no program has the right to do. */
export async function makeQueueSequences(query: (text: string) => Promise<unknown>): Promise<void> {
  const make = queueNames.map(
    (name) => `execute format('create sequence if not exists bullmq.%I', bullmq.job_id_seq_name('${name}'))`,
  )
  await query(`do $$ begin ${make.join('; ')}; end $$`)
}
