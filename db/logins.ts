import { createHmac } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import postgres from 'postgres'
import { hasCode, retry } from '../core/server/time.ts'

/** The logins of the programs. Each connects as its own; the tables belong to whoever runs `db:migrate`. */
export const roles = {
  api: 'blockdraw_api',
  worker: 'blockdraw_worker',
  backup: 'blockdraw_backup',
} as const
export type RoleName = keyof typeof roles
const roleNames = Object.keys(roles) as RoleName[]

/** The same database for one of the programs: its password is made of the owner's, so it tells nothing of another's. */
export function loginOf(ownerUrl: string, role: RoleName): string {
  const url = new URL(ownerUrl)
  url.password = passwordOf(ownerUrl, role)
  url.username = roles[role]
  return url.href
}

const passwordOf = (ownerUrl: string, role: RoleName): string =>
  createHmac('sha256', decodeURIComponent(new URL(ownerUrl).password))
    .update(roles[role])
    .digest('hex')

/**
 * Gives them what roles.sql says and nothing else. With `dir` each URL is written to `<dir>/<api|worker|backup>/url`. False
 * where the owner may make no roles or has no password: one DATABASE_URL then serves all programs.
 */
export async function makeLogins(ownerUrl: string, dir?: string): Promise<boolean> {
  if (!new URL(ownerUrl).password) return false
  const client = postgres(ownerUrl, { max: 1, connect_timeout: 10, onnotice: () => undefined })
  try {
    const [self] = await client`
      select rolsuper or rolcreaterole as "mayMake" from pg_roles where rolname = current_user`
    if (!self?.mayMake) return false
    await retry(() => client.begin((tx) => grant(tx, ownerUrl)), isRace)
  } finally {
    await client.end({ timeout: 5 })
  }
  if (dir) for (const role of roleNames) writeUrl(join(dir, role), loginOf(ownerUrl, role))
  return true
}

async function grant(tx: postgres.TransactionSql, ownerUrl: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtext('blockdraw rights'))`
  await tx.unsafe(readFileSync(join(import.meta.dirname, 'roles.sql'), 'utf8'))
  for (const role of roleNames)
    await tx.unsafe(`alter role ${roles[role]} password '${passwordOf(ownerUrl, role)}'`)
}

/** Logins are the server's: another database of it may set them at the same time, or have made them just now. */
const isRace = (error: unknown, attempt: number): boolean =>
  attempt < 20 && hasCode(error, 'XX000', '23505', '42710')

/** Whole or not at all, as a program may be starting. */
function writeUrl(dir: string, url: string): void {
  const file = join(dir, 'url')
  mkdirSync(dir, { recursive: true })
  rmSync(`${file}.new`, { force: true })
  writeFileSync(`${file}.new`, `${url}\n`, { mode: 0o440, flush: true })
  renameSync(`${file}.new`, file)
}
