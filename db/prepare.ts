import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runMigrations } from 'bullmq'
import { drizzle } from 'drizzle-orm/postgres-js'
import { migrate } from 'drizzle-orm/postgres-js/migrator'
import pg from 'pg'
import postgres from 'postgres'
import type { Address } from 'viem'
import { queueNames } from '../core/jobs.ts'
import { type Env, EnvError } from '../core/server/env.ts'
import { hashPassword, oneTimePassword, weaknessOfPassword } from '../core/server/password.ts'
import { hasCode, retry } from '../core/server/time.ts'
import { createFirstAdmin, hasAdmins } from './admin/admins.ts'
import { applyEnvironment } from './event/environment.ts'
import { connect, type Db } from './index.ts'
import { makeLogins } from './logins.ts'
import { fitsSchema, migrationsFolder } from './schema-major.ts'

type Options = {
  databaseUrl: string
  env: Env
  operatorWallet: Address | undefined
  /** The variables as they were given, where those that are not set say nothing about a running event. */
  vars?: Readonly<Record<string, string | undefined>>
  /** A trial on one machine, with a chain of its own: its printed password is kept. */
  isLocal?: boolean
}

/**
 * Tables, queue tables, logins, first event, first administrator, as their owner. Safe at every start and by several processes
 * at once. `notes` are sentences about what it had to leave.
 */
export async function prepareDatabase({ databaseUrl, env, operatorWallet, vars, isLocal }: Options) {
  await migrateDatabase(databaseUrl)
  if (!env.redisUrl) await migrateQueue(databaseUrl)
  const hasLogins = await makeLogins(databaseUrl, env.loginsDir)
  const { db, close } = connect(databaseUrl, { max: 1, name: 'blockdraw prepare' })
  try {
    const notes = hasLogins ? [] : [oneLogin]
    const forNext = await applyEnvironment(db, env, operatorWallet, vars)
    if (forNext.length > 0)
      notes.push(`${forNext.join(', ')}: for the next event, as the terms of this one are locked.`)
    return { createdAdmin: await createAdmin(db, env, isLocal), hasLogins, notes }
  } finally {
    await close()
  }
}

const oneLogin =
  'API and worker log in as who owns the tables, and could change the rules there: see "Logins of Postgres" in the runbook.'

/** Generated migrations, then rules.sql, under an advisory lock; `lock_timeout` keeps live code from waiting. @internal */
export async function migrateDatabase(databaseUrl: string, folder = migrationsFolder): Promise<void> {
  const client = postgres(databaseUrl, { max: 1, onnotice: () => undefined, connect_timeout: 10 })
  try {
    await client`select pg_advisory_lock(hashtext('blockdraw migrate'))`
    await client`set lock_timeout = '2s'`
    // This release must not change a database of a newer release or of a development version.
    await fitsSchema(drizzle(client))
    await retry(
      async () => {
        await migrate(drizzle(client), { migrationsFolder: folder })
        await client.begin((tx) => tx.unsafe(rules()))
      },
      // A backup that is being made, or a call of the release that runs, holds a table: each try is short (`lock_timeout`, or a
      // deadlock that this one was chosen to end).
      (error, attempt) => hasCode(error, '55P03', '40P01') && attempt < mostTries,
    )
  } finally {
    await client.end()
  }
}

const mostTries = 60
const rules = () => readFileSync(join(import.meta.dirname, 'rules.sql'), 'utf8')

/** BullMQ asks for its migrations to be a step of their own. @internal */
export async function migrateQueue(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await runMigrations(client)
    // BullMQ would make these with the first job of a queue, which no program has the right to do.
    for (const name of queueNames)
      await client.query(
        `do $$ begin execute format('create sequence if not exists bullmq.%I', bullmq.job_id_seq_name('${name}')); end $$`,
      )
  } finally {
    await client.end()
  }
}

async function createAdmin(db: Db, env: Env, isLocal = false) {
  if (await hasAdmins(db)) return undefined
  const username = env.adminUsername ?? 'admin'
  if (env.adminPassword) await expectStrong(env.adminPassword, isLocal ? '' : username)
  const password = env.adminPassword ?? oneTimePassword()
  const isOneTime = !(env.adminPassword || isLocal)
  const admin = { username, passwordHash: await hashPassword(password), isOneTime }
  return (await createFirstAdmin(db, admin)) ? { username, password, isOneTime } : undefined
}

/** Throws EnvError; the password is not repeated in it. */
async function expectStrong(password: string, username: string): Promise<void> {
  const weakness = await weaknessOfPassword(password, username)
  if (!weakness) return
  const problems = {
    length: 'must have 8 to 128 characters.',
    common: 'is easy to guess: leave it blank, and one is made and printed.',
    username: 'must not contain ADMIN_USERNAME.',
  }
  throw new EnvError('ADMIN_PASSWORD', problems[weakness])
}
