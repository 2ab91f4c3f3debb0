import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import postgres from 'postgres'
import { expect, inject, onTestFinished, test } from 'vitest'
import { parseEnv } from '../core/server/env.ts'
import { databaseOf, testDb } from '../e2e/lab/database.ts'
import { openEvent } from '../e2e/lab/ledger-story.ts'
import { forFile } from '../e2e/lab/opened.ts'
import { loginOf, makeLogins, type RoleName, roles } from './logins.ts'
import { prepareDatabase } from './prepare.ts'

const database = await forFile(testDb())
const { db } = database
const names = Object.keys(roles) as RoleName[]

/**
 * What API and worker may do with the rows of each table: select, insert, update, delete; with columns in brackets where it is not
 * all of them. A table that nobody has decided on is missing here, and fails.
 */
const decided: Record<string, [api: string, worker: string]> = {
  admins: ['siu', ''],
  anchor_sends: ['s', 'si'],
  anchors: ['s', 'sid'],
  audit: ['si(action actor after before client_address outcome request_id)', ''],
  beacons: ['si', 'si'],
  changes: ['si', 'si'],
  channels: ['siu', 's'],
  cursors: ['s', 'siud'],
  claims: [
    'siu(accepted attempts client_address created_at manual_answered_at next_attempt_at reason status)',
    'su(attempts client_address next_attempt_at reason seen status)d',
  ],
  deliveries: ['siu', 'su'],
  drawn_tickets: ['s', 's'],
  draws: ['s', 'si'],
  endings: ['si', 'si'],
  events: [
    'siu(archived_at auto_draw claim_days content content_sha256 draw_date draw_wanted_at entropy google_form_url halted_at min_tickets opened_at operator_wallet prizes redrawn_at refund_notice revision sale_end sale_start wallet_proven_at winner_cleared_at winners)',
    'su(anchor_wallet beacon_round draw_blocks frozen_at halted_at ledger_lines ledger_sha256 locked_at opened_at read_twice_failed_at read_twice_time read_twice_to revision terms tickets_sold)',
  ],
  house: ['su(version)', 'su(shut_since version)'],
  legal_texts: ['si', ''],
  notifications: ['si', 's'],
  operator_wallets: ['su(stolen_from)', 'su(books_read_at)'],
  outgoing_transfers: ['s', 'sid'],
  owed_payments: ['s', 's'],
  owed_units: ['s', 's'],
  paid_transactions: ['s', 's'],
  passkey_challenges: ['sid', ''],
  passkeys: ['siud', ''],
  payer_codes: ['s', 'siu'],
  payment_refunds: ['s', 's'],
  payments: ['s', 'siu(found_at lost_at)d'],
  prize_acts: ['si', 's'],
  refund_decisions: ['si', 's'],
  refund_dues: ['s', 's'],
  refund_receipts: ['s', 's'],
  refund_reports: ['siu', 'su(final_at)'],
  reports: ['s', 'siu'],
  sessions: ['siud', ''],
  settings: ['su', ''],
  terms_versions: ['s', 's'],
  transfer_marks: ['sid', 's'],
  unjudged_transfers: ['s', 's'],
  uploads: ['siu', ''],
  wallet_proofs: ['si', 'su(answered_at is_good)d'],
}

/** Asks Postgres for each right on each table and column of ours, whatever gave it; `!` is one that nobody shall have. */
const heldRights = () =>
  db.execute<{ table: string; role: RoleName; held: string }>(sql`
    select "table", role, coalesce(string_agg(case when whole then letter else letter || '(' || columns || ')' end, '' order by place)
      filter (where whole or columns is not null), '') as held
    from (
      select c.relname as "table", role, place, letter, has_table_privilege(login, c.oid, word) as whole,
        (select string_agg(attname, ' ' order by attname) from pg_attribute
          where attrelid = c.oid and attnum > 0 and not attisdropped and place in (1, 2, 3, 6)
            and has_column_privilege(login, c.oid, attnum, case when place in (1, 2, 3, 6) then word else 'SELECT' end)) as columns
      from pg_class c
      cross join (values ('api', 'blockdraw_api'), ('worker', 'blockdraw_worker'), ('backup', 'blockdraw_backup')) as own (role, login)
      cross join (values (1, 's', 'SELECT'), (2, 'i', 'INSERT'), (3, 'u', 'UPDATE'), (4, 'd', 'DELETE'), (5, '!', 'TRUNCATE'),
        (6, '!', 'REFERENCES'), (7, '!', 'TRIGGER'), (8, '!', 'MAINTAIN')) as one (place, letter, word)
      where relkind in ('r', 'p', 'v', 'm', 'f') and relnamespace = 'public'::regnamespace
    ) rights group by "table", role order by "table"`)

test('each program has the rights that were decided on, column by column, and no table was forgotten', async () => {
  const held: Record<string, Record<string, string>> = {}
  for (const row of await heldRights()) held[row.table] = { ...held[row.table], [row.role]: row.held }
  expect(held).toEqual(
    Object.fromEntries(
      Object.entries(decided).map(([table, [api, worker]]) => [
        table,
        // A backup reads everything, and says of itself that it was made.
        { api, worker, backup: table === 'notifications' ? 'si' : 's' },
      ]),
    ),
  )
})

/** What Postgres answers; `done` when it does as it was told. */
const told = (role: RoleName, statement: string): Promise<string> =>
  database
    .dbOf(role)
    .transaction(async (tx) => {
      await tx.execute(sql.raw(statement))
      throw new Error('done')
    })
    .catch((error: Error) => ((error.cause as Error | undefined) ?? error).message)

test.each<[RoleName, string]>([
  ['worker', "update events set operator_wallet = '0x000000000000000000000000000000000000dead'"],
  ['worker', "update events set google_form_url = 'https://thief.example'"],
  ['worker', 'update events set draw_date = now()'],
  ['worker', 'update events set content = null'],
  ['worker', 'update payments set ticket_number = 1'],
  ['worker', 'update draws set winning_ticket = 1'],
  ['worker', 'delete from draws'],
  ['worker', "insert into operator_wallets values ('0x000000000000000000000000000000000000dead', now())"],
  ['worker', 'select password_hash from admins'],
  ['worker', 'select token_hash from sessions'],
  ['worker', "insert into audit (actor, action, outcome) values ('a', 'b', '200')"],
  ['worker', 'update channels set settings = settings'],
  ['api', 'insert into payments default values'],
  ['api', 'delete from payments'],
  ['api', 'update events set tickets_sold = 0'],
  ['api', 'update events set frozen_at = now()'],
  ['api', 'insert into outgoing_transfers default values'],
  ['api', 'insert into terms_versions select * from terms_versions'],
  ['api', 'select lock_terms(1, now())'],
  ['api', 'insert into draws default values'],
  ['api', 'update endings set kind = kind'],
  ['api', 'delete from audit'],
  ['api', "insert into audit (at, actor, action, outcome) values (now(), 'a', 'b', '200')"],
  ['api', "insert into audit (id, actor, action, outcome) values (1, 'a', 'b', '200')"],
  ['backup', "insert into changes (event_number, field) values (1, 'x')"],
  ['backup', 'delete from audit'],
])('%s: `%s` is refused', async (role, statement) => {
  expect(await told(role, statement)).toMatch(/^permission denied for (table|function)/)
})

test('an event is opened without what a worker reads on chain, and the house is never deleted', async () => {
  for (const fact of [
    "draw_blocks) values (9, '[]')",
    "beacon_round) values (9, '{}')",
    'read_twice_to) values (9, 1)',
  ])
    expect(await told('api', `insert into events (number, ${fact}`)).toBe('events is append-only')
  await expect(db.execute(sql`delete from house`)).rejects.toMatchObject({
    cause: { message: 'house is append-only' },
  })
})

test("what an update of the anchor wallet fires is the worker's to do", async () => {
  await openEvent(db)
  expect(await told('worker', `update events set anchor_wallet = '0x${'ab'.repeat(20)}'`)).toBe('done')
})

test.each([
  'create table public.mine (a int)',
  'create table drizzle.mine (a int)',
  'create table bullmq.mine (a int)',
  'create temporary table payments (a int)',
  'create schema mine',
  'create role mine',
  'create function public.f() returns int language sql as $$ select 1 $$',
  'alter function refuse_change() rename to refused',
  'alter table audit disable trigger all',
  'drop trigger draws_append_only on draws',
  'drop table payments',
  'truncate changes',
  'update house set schema_major = 2',
  'delete from drizzle.__drizzle_migrations',
  "select setval('changes_id_seq', 1)",
  'set session_replication_role = replica',
  'set role postgres',
  "copy (select 1) to program 'id'",
  "select pg_read_file('postgresql.conf')",
])('no program may `%s`', async (statement) => {
  for (const role of names)
    expect([role, await told(role, statement)]).toEqual([
      role,
      expect.stringMatching(/^(permission denied|must be)/),
    ])
})

test('a login that is none of ours has no way in, and functions find their tables whatever its search_path', async () => {
  const [open] = await db.execute(sql`
    select has_database_privilege('public', current_database(), 'connect, temporary') as database,
      has_schema_privilege('public', 'public', 'usage, create') as ours,
      has_schema_privilege('public', 'bullmq', 'usage, create') as queue,
      exists (select from pg_proc where pronamespace = 'public'::regnamespace
        and has_function_privilege('public', oid, 'execute')) as functions,
      exists (select from pg_proc where pronamespace = 'public'::regnamespace and not exists (
        select from unnest(proconfig) one where one like 'search_path=%')) as loose`)
  expect(open).toEqual({ database: false, ours: false, queue: false, functions: false, loose: false })
})

test('rights that somebody has added or taken are put right', async () => {
  await db.execute(sql`grant update, truncate on draws to blockdraw_worker`)
  await db.execute(sql`revoke insert on draws from blockdraw_worker`)
  await db.execute(sql`grant update (winning_ticket) on draws to blockdraw_api`)
  const before = await heldRights()
  await makeLogins(database.url)
  const after = await heldRights()
  const ofDraws = (rows: typeof before) =>
    rows.filter(({ table }) => table === 'draws').map(({ held }) => held)
  expect(ofDraws(before).sort()).toEqual(['s', 'su!', 'su(winning_ticket)'])
  expect(ofDraws(after).sort()).toEqual(['s', 's', 'si'])
})

/** An empty database of a new login, which is gone after the test, and its URL. */
async function ownedBy(rights: string): Promise<string> {
  const server = inject('postgresUrl')
  const { password } = new URL(server)
  const name = `${rights.slice(0, 2)}_${new URL(database.url).pathname.slice(1)}`
  const hand = postgres(server, { max: 1, onnotice: () => undefined })
  onTestFinished(async () => {
    await hand.unsafe(`drop database if exists ${name} with (force)`)
    await hand.unsafe(`drop role if exists ${name}`)
    await hand.end()
  })
  // The password of the other owner, so that theirs stay what other tests log in with.
  await hand.unsafe(`create role ${name} login ${rights} password '${decodeURIComponent(password)}'`)
  await hand.unsafe(`create database ${name} owner ${name}`)
  await hand.unsafe(
    `grant ${Object.values(roles).join()} to ${name} with admin true, inherit false, set false`,
  )
  const url = new URL(databaseOf(server, name))
  url.username = name
  return url.href
}
const env = parseEnv({ ADMIN_PASSWORD: 'correct horse battery' })
const operatorWallet = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

test('an owner that is no superuser makes the logins, and each gets a file of its own with its URL', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'blockdraw-logins-'))
  onTestFinished(() => rmSync(dir, { recursive: true }))
  const databaseUrl = await ownedBy('createrole createdb')
  for (const _ of ['once', 'again']) {
    const { hasLogins, notes } = await prepareDatabase({
      databaseUrl,
      env: { ...env, loginsDir: dir },
      operatorWallet,
    })
    expect([hasLogins, notes]).toEqual([true, []])
  }
  for (const role of names) {
    const file = join(dir, role, 'url')
    expect(statSync(file).mode & 0o777).toBe(0o440)
    const url = readFileSync(file, 'utf8').trim()
    expect([url, new URL(url).password]).toEqual([
      loginOf(databaseUrl, role),
      expect.stringMatching(/^[0-9a-f]{64}$/),
    ])
    const client = postgres(url, { max: 1 })
    const [who] = await client`select current_user as name, (select count(*)::int from events) as events`
    await client.end()
    expect(who).toEqual({ name: roles[role], events: 1 })
  }
})

test('an owner that may not make roles serves all programs alone, and is told so', async () => {
  const databaseUrl = await ownedBy('nocreaterole')
  const { hasLogins, notes } = await prepareDatabase({ databaseUrl, env, operatorWallet })
  expect([hasLogins, notes]).toEqual([false, [expect.stringContaining('could change the rules')]])
  const open = new URL(database.url)
  open.password = ''
  // Theirs would be known to everybody.
  expect(await makeLogins(open.href)).toBe(false)
})
