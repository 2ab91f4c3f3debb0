import { sql } from 'drizzle-orm'
import { EnvError } from '../../core/server/env.ts'
import { causesOf } from '../../core/server/time.ts'
import type { Db } from '../index.ts'
import { type RoleName, roles } from './rights.ts'
import { scramSecret } from './scram.ts'

/** Those that are set are made, or given this password. */
export type Passwords = Partial<Record<RoleName, string | undefined>>

/** POSTGRES_API_PASSWORD and its like. */
export const passwordVariable = (role: RoleName): string => `POSTGRES_${role.toUpperCase()}_PASSWORD`

/**
 * Makes the logins whose passwords are given, and gives those that exist their password. Answers sentences about what
 * this login may not do. Throws EnvError when a login is missing that it may not make, or one may do too much.
 */
export async function makeLogins(db: Db, passwords: Passwords): Promise<string[]> {
  const given = (Object.keys(roles) as RoleName[]).filter((role) => passwords[role])
  if (given.length === 0) return []
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('blockdraw rights'))`)
    const notes: string[] = []
    for (const role of given) {
      const left = await makeLogin(tx, role, passwords[role] as string)
      if (left) notes.push(left)
    }
    return notes
  })
}

async function makeLogin(tx: Db, role: RoleName, password: string): Promise<string | undefined> {
  const name = roles[role]
  const [found] = await tx.execute<{ rules: boolean }>(sql`
    select rolsuper or rolcreaterole or rolreplication or rolbypassrls
      or pg_has_role(oid, current_user, 'member') as rules
    from pg_roles where rolname = ${name}`)
  if (found?.rules)
    throw new EnvError(
      passwordVariable(role),
      `cannot be set: the role ${name} may do more than its program needs. Take from it what is not in the runbook.`,
    )
  const secret = scramSecret(password)
  // The rehearsal of a backup makes a database of its own.
  const own = role === 'backup' && (await mayMakeDatabases(tx)) ? 'login createdb' : 'login'
  const verb = found ? `alter role ${name} login` : `create role ${name} ${own}`
  try {
    await tx.transaction((step) => step.execute(sql.raw(`${verb} password '${secret}'`)))
    return undefined
  } catch (error) {
    if (!isRefused(error)) throw error
    if (found) return `The password of ${name} was left as it is: this login may not change it.`
    throw new EnvError(
      passwordVariable(role),
      `cannot be set: this login may not make roles. Let who may type: create role ${name} login${role === 'backup' ? ' createdb' : ''} password '…';`,
    )
  }
}

async function mayMakeDatabases(tx: Db): Promise<boolean> {
  const [self] = await tx.execute<{ may: boolean }>(
    sql`select rolcreatedb or rolsuper as may from pg_roles where rolname = current_user`,
  )
  return self?.may ?? false
}

const isRefused = (error: unknown): boolean =>
  causesOf(error).some((cause) => (cause as { code?: unknown }).code === '42501')
