import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import postgres from 'postgres'
import { afterAll, expect, inject, test } from 'vitest'
import { listAudit } from '../../../db/admin/audit.ts'
import { saveSettings } from '../../../db/admin/settings.ts'
import { isShut } from '../../../db/event/restored.ts'
import { type Connection, connect } from '../../../db/index.ts'
import { openAdminApi, owner } from '../../../e2e/lab/admin-api.ts'
import { buildApi, siteProxyToken } from '../../../e2e/lab/build-api.ts'
import { databaseOf } from '../../../e2e/lab/database.ts'
import { forFile } from '../../../e2e/lab/opened.ts'
import { passingKey } from './seal.ts'

const root = join(import.meta.dirname, '../../..')
const dir = mkdtempSync(join(tmpdir(), 'blockdraw-restore-'))
const source = await forFile(openAdminApi())
const sourceUrl = String(source.deps.admin.databaseUrl)
const operator = await passingKey()
const keyFile = join(dir, 'key.txt')
writeFileSync(keyFile, `# public key: ${operator.recipient}\n${operator.identity}\n`)
const sealedFile = join(dir, 'kept.backup.gz.age')

const copies: (() => Promise<void>)[] = []
afterAll(async () => {
  await Promise.all(copies.map((drop) => drop()))
  rmSync(dir, { recursive: true, force: true })
})

/** A new, empty database on the server of this test run. */
async function emptyDatabase(): Promise<Connection & { url: string }> {
  const name = `restored_${randomBytes(6).toString('hex')}`
  const server = postgres(inject('postgresUrl'), { max: 1, onnotice: () => undefined })
  await server.unsafe(`create database ${name}`)
  const url = databaseOf(inject('postgresUrl'), name)
  const own = connect(url, { max: 2, name: 'blockdraw test' })
  copies.push(async () => {
    await own.close()
    await server.unsafe(`drop database ${name} with (force)`)
    await server.end()
  })
  return { ...own, url }
}

async function run(command: readonly string[], env: Record<string, string>, cwd = root) {
  const child = Bun.spawn([...command], {
    cwd,
    env: { PATH: process.env.PATH, ...env },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, errors] = [await new Response(child.stdout).text(), await new Response(child.stderr).text()]
  return { code: await child.exited, out, errors }
}
const bun = (name: string, ...words: string[]) => [
  process.execPath,
  join(root, `infra/cli/${name}.ts`),
  ...words,
]

/** The refusal of a login, or 200, by an API on this database. */
async function loginOn(database: Connection & { url: string }, body: object, from = '10.1.2.3') {
  const { app, state } = buildApi(database, {})
  await state.refresh()
  const request = new Request('http://localhost/api/admin/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-site-proxy': siteProxyToken, 'x-forwarded-for': from },
    body: JSON.stringify(body),
  })
  const response = await app.handle(request)
  const told = (await response.json()) as { code?: string }
  state.stop()
  return told.code ?? response.status
}

test('a backup that somebody else may have is restored without what opens the administrator’s area', async () => {
  const { recoveryCodes } = await source.enrol(await source.login())
  await source.db.execute(sql`insert into passkeys (admin_id, name, credential_id, public_key, counter, rp_id)
    select id, 'Phone', 'key', 'x', 0, 'raffle.example' from admins`)
  await saveSettings(source.db, { allowedIps: ['10.0.0.0/8'] })
  const made = await run(bun('backup', sealedFile), {
    DATABASE_URL: sourceUrl,
    BACKUP_AGE_RECIPIENT: operator.recipient,
  })
  expect([made.code, made.errors]).toEqual([0, ''])
  expect(readFileSync(sealedFile, 'latin1')).toMatch(/^age-encryption/)

  const copy = await emptyDatabase()
  const reset = bun('restore', sealedFile, '--identity', keyFile, '--reset-credentials')
  const { code, out, errors } = await run(reset, { DATABASE_URL: copy.url })
  expect([code, errors]).toEqual([0, ''])
  const password = /Administrator owner, one-time password (\S+)\n/.exec(out)?.[1]
  expect(out).toContain('They may log in from: 10.0.0.0/8')
  for (const old of [owner, { ...owner, recoveryCode: recoveryCodes[1] }])
    expect(await loginOn(copy, old)).toBe('INVALID_CREDENTIALS')
  // Where the backup comes from they still open it.
  await source.login({ recoveryCode: recoveryCodes[1] }, '10.1.2.3')
  expect(await loginOn(copy, { ...owner, password }, '192.0.2.1')).toBe('IP_NOT_ALLOWED')
  expect(await loginOn(copy, { ...owner, password })).toBe(200)
  expect(await isShut(copy.db)).toBe(true)
  const left = sql`select (select count(*) from recovery_codes)::int as codes,
    (select count(*) from passkeys)::int as passkeys,
    (select count(*) from admins where otp_secret is not null or otp_pending_secret is not null)::int as secrets`
  expect((await copy.db.execute(left))[0]).toEqual({ codes: 0, passkeys: 0, secrets: 0 })
  const rows = await listAudit(copy.db, { action: 'cli.reset-password' })
  expect(rows).toMatchObject([{ outcome: 'cli', after: { username: 'owner' } }])
  expect(JSON.stringify(rows)).not.toContain(password)
})

test('an encrypted backup asks for its key, and no other one opens it', async () => {
  const { url } = await emptyDatabase()
  const other = join(dir, 'other.txt')
  writeFileSync(other, (await passingKey()).identity)
  const words = join(dir, 'words.txt')
  writeFileSync(words, 'hello\n')
  for (const [file, told] of [
    [[], /encrypted: name the key/],
    [['--identity', other], /The key does not open this backup/],
    [['--identity', words], /holds no key of age/],
  ] as const) {
    const { code, errors } = await run(bun('restore', sealedFile, ...file), { DATABASE_URL: url })
    expect([code, errors]).toEqual([1, expect.stringMatching(told)])
  }
})

/** What the runbook wants typed, on a machine whose `docker compose` runs our commands on databases of this test. */
async function typed(heading: string, servers: { before: string; after: string }) {
  const runbook = readFileSync(join(root, 'infra/README.md'), 'utf8')
  const section = runbook.split(`\n### ${heading}\n`)[1]?.split(/\n##+ /)[0] ?? ''
  const commands = /```sh\n([\s\S]*?)```/.exec(section)?.[1]
  const place = mkdtempSync(join(dir, 'typed-'))
  const docker = join(place, 'docker')
  writeFileSync(join(place, '.env'), 'POSTGRES_IMAGE=postgres:18-alpine\n')
  writeFileSync(
    docker,
    `#!/bin/bash
    case $(grep ^POSTGRES_IMAGE= .env | tail -n1) in *:18-*) url=$BEFORE ;; *) url=$AFTER ;; esac
    case "$*" in
      "compose run --rm -T migrate bun "*)
        DATABASE_URL=$url exec "$BUN" "$ROOT/infra/cli/\${7%.js}.ts" "\${@:8}" ;;
      "compose stop "* | "compose up -d"* | "compose exec postgres pg_isready "*) echo "$*" >> typed ;;
      *) echo "what is docker $*?" >&2; exit 9 ;;
    esac`,
  )
  chmodSync(docker, 0o755)
  const env = {
    ...{ PATH: `${place}:${process.env.PATH}`, BUN: process.execPath, ROOT: root },
    ...{ BEFORE: servers.before, AFTER: servers.after },
  }
  const told = await run(['bash', '-euo', 'pipefail', '-c', commands ?? 'false'], env, place)
  expect([told.errors, told.code]).toEqual(['', 0])
  return { place, did: readFileSync(join(place, 'typed'), 'utf8').split('\n').filter(Boolean) }
}

test('V4: the runbook’s commands for a new major version of Postgres take everything along', async () => {
  const copy = await emptyDatabase()
  const { place, did } = await typed('A new major version of Postgres', {
    before: sourceUrl,
    after: copy.url,
  })
  expect(did).toEqual([
    'compose stop web api worker backup',
    'compose stop postgres',
    'compose up -d postgres',
    'compose exec postgres pg_isready -q -h 127.0.0.1 -U blockdraw -d blockdraw',
    'compose up -d',
  ])
  expect(existsSync(join(place, 'before-upgrade.backup.gz'))).toBe(true)
  const facts = sql`select (select count(*) from audit where action <> 'cli.after-restore')::int as audit, (select array_agg(password_hash) from admins) as admins,
    (select array_agg(code_hash order by code_hash) from recovery_codes) as codes`
  expect((await copy.db.execute(facts))[0]).toEqual((await source.db.execute(facts))[0])
})
