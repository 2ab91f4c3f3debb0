import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { gunzipSync } from 'node:zlib'
import { sql } from 'drizzle-orm'
import pino from 'pino'
import { afterEach, expect, test } from 'vitest'
import { addAudit } from '../../../db/admin/audit.ts'
import { startBucket } from '../../../e2e/lab/bucket.ts'
import { testDb } from '../../../e2e/lab/database.ts'
import { openEvent } from '../../../e2e/lab/ledger-story.ts'
import { forFile } from '../../../e2e/lab/opened.ts'
import { startProcess } from '../../../e2e/lab/process.ts'
import { until } from '../../../e2e/lab/until.ts'
import { freePort } from '../../local/ports.ts'
import { makeBackup } from './make.ts'
import { createBackupMetrics } from './metrics.ts'
import { readBackupName, sealedName } from './names.ts'
import { inBucket, inDirectory } from './places.ts'
import { rehearse } from './rehearse.ts'
import { passingKey, sealed, unsealed } from './seal.ts'
import { openBackups } from './service.ts'
import { saveState } from './state.ts'
import { Tally } from './tally.ts'

const source = await forFile(testDb())
await openEvent(source.db)
await addAudit(source.db, { actor: 'owner', action: 'a\\b\tc', outcome: '200', after: { text: 'ä\n' } })
const operator = await passingKey()
const keep = { newest: 2, days: 0, weeks: 0 }

const undo: (() => unknown)[] = []
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

function vault() {
  const directory = mkdtempSync(join(tmpdir(), 'blockdraw-vault-'))
  const bucket = startBucket('vault')
  undo.push(() => rmSync(directory, { recursive: true, force: true }), bucket.stop)
  return { directory, bucket, bucketUrl: bucket.url('vault/raffle') }
}

function open({ directory, bucketUrl }: { directory: string; bucketUrl?: string }) {
  const failed: string[] = []
  const metrics = createBackupMetrics({ everySeconds: 3_600 })
  const backups = openBackups({
    ...{ databaseUrl: source.url, directory, bucketUrl, keep, everySeconds: 3_600 },
    recipients: [operator.recipient],
    log: pino({ level: 'silent' }),
    onFailure: (step) => {
      failed.push(step)
      metrics.countFailure(step)
    },
  })
  const figures = async () =>
    Object.fromEntries(
      [...(await metrics.read(backups)).matchAll(/^blockdraw_backup_(\S+) (\S+)$/gm)].map(
        ([, name, value]) => [name, Number(value?.replace('+Inf', 'Infinity'))],
      ),
    )
  return { ...backups, failed, figures }
}

/** So that the next backup needs no rehearsal. */
const rehearsedLately = (directory: string): void =>
  saveState(directory, { rehearsed: { name: 'of before', at: new Date().toISOString(), problem: null } })

const opened = async (bytes: Uint8Array, identity: string): Promise<string> => {
  const plain = await unsealed(Readable.from([Buffer.from(bytes)], { objectMode: false }), [identity])
  return gunzipSync(Buffer.concat(await plain.toArray())).toString()
}
const backupsIn = (directory: string): string[] => readdirSync(directory).filter(readBackupName)
const scratchDatabases = async (): Promise<number> =>
  (await source.db.execute(sql`select 1 from pg_database where datname like 'blockdraw\\_rehearsal\\_%'`))
    .length

test('V4: a backup is encrypted before it leaves, lies in two places, and has been restored and compared', async () => {
  const { directory, bucket, bucketUrl } = vault()
  const service = open({ directory, bucketUrl })
  expect(await service.figures()).toMatchObject({
    'age_seconds{place="here"}': Number.POSITIVE_INFINITY,
    'age_seconds{place="off-site"}': Number.POSITIVE_INFINITY,
    rehearsal_age_seconds: Number.POSITIVE_INFINITY,
  })
  await service.turn()
  expect(service.failed).toEqual([])
  const [name = ''] = backupsIn(directory)
  const here = readFileSync(join(directory, name))
  expect(here.toString('latin1')).toMatch(/^age-encryption\.org\/v1\n/)
  expect(statSync(join(directory, name)).mode & 0o777).toBe(0o600)
  expect([...bucket.kept.keys()]).toEqual([`/vault/raffle/${name}`])
  expect(Buffer.from(bucket.kept.get(`/vault/raffle/${name}`)?.bytes ?? []).equals(here)).toBe(true)
  const text = await opened(here, operator.identity)
  expect(text).toMatch(/^\{"format":"blockdraw backup"/)
  expect(text).toContain('a\\\\b\\tc')
  expect(service.state().rehearsed).toMatchObject({ name, problem: null })
  expect(await scratchDatabases()).toBe(0)
  const figures = await service.figures()
  expect(figures).toMatchObject({ rehearsal_failed: 0, bytes: here.length, every_seconds: 3_600 })
  expect(figures.rows).toBe(service.state().made?.rows)
  for (const place of ['here', 'off-site'])
    expect(Number.isFinite(figures[`age_seconds{place="${place}"}`])).toBe(true)
})

// The command of the runbook, by another implementation of age.
test.skipIf(!Bun.which('age'))(
  'age opens what the service encrypts, and the service a file of age',
  async () => {
    const { directory } = vault()
    const key = join(directory, 'key.txt')
    writeFileSync(key, `# created by the operator\n${operator.identity}\n`, { mode: 0o600 })
    const plain = Readable.from([Bun.gzipSync(Buffer.from('by the service'))], { objectMode: false })
    const bytes = Buffer.concat(await (await sealed(plain, [operator.recipient])).toArray())
    const read = Bun.spawnSync(['age', '-d', '-i', key], { stdin: bytes })
    expect([read.stderr.toString(), gunzipSync(read.stdout).toString()]).toEqual(['', 'by the service'])
    const written = Bun.spawnSync(['age', '-r', operator.recipient], {
      stdin: Bun.gzipSync(Buffer.from('by age')),
    })
    expect(await opened(written.stdout, operator.identity)).toBe('by age')
  },
)

test('a bucket that is away gets the backup later, and the figures tell until then', async () => {
  const { directory, bucket, bucketUrl } = vault()
  const service = open({ directory, bucketUrl })
  bucket.trouble.fail = () => bucket.refuse(503, 'SlowDown')
  await service.turn()
  expect(service.failed).toContain('send')
  expect(backupsIn(directory)).toHaveLength(1)
  expect(service.state()).not.toHaveProperty('rehearsed')
  expect(await service.figures()).toMatchObject({
    'age_seconds{place="off-site"}': Number.POSITIVE_INFINITY,
    'failures_total{step="send"}': 1,
  })
  bucket.trouble.fail = undefined
  await service.turn()
  expect([...bucket.kept]).toHaveLength(1)
  expect(service.state().rehearsed?.problem).toBeNull()
})

test('V4: a copy that cannot be read, and one with another row, are found by the rehearsal', async () => {
  const { directory, bucket, bucketUrl } = vault()
  const service = open({ directory, bucketUrl })
  bucket.trouble.fail = ({ method, url }) => {
    const found = bucket.kept.get(new URL(url).pathname)?.bytes
    if (method !== 'GET' || !found) return undefined
    const damaged = found.slice()
    damaged[damaged.length - 40] = (damaged.at(-40) ?? 0) ^ 1
    return new Response(damaged)
  }
  await service.turn()
  expect(service.failed).toEqual(['rehearse'])
  expect(await service.figures()).toMatchObject({ rehearsal_failed: 1, 'failures_total{step="rehearse"}': 1 })
  expect(await scratchDatabases()).toBe(0)

  const text = await opened(readFileSync(join(directory, backupsIn(directory)[0] ?? '')), operator.identity)
  const key = await passingKey()
  const expected = new Tally()
  for (const [, table = '', rows = ''] of text.matchAll(/^\{"table":"(\w+)".*\}\n((?:.*\n)*?)\\\.$/gm)) {
    expected.of(table)
    expected.add(table, Buffer.from(rows))
  }
  const compare = async (changed: string) => {
    const bytes = Readable.from([Buffer.from(Bun.gzipSync(Buffer.from(changed)))], { objectMode: false })
    const content = await sealed(bytes, [key.recipient])
    return rehearse({ content, identity: key.identity, expected, serverUrl: source.url })
  }
  expect(await compare(text.replace('a\\\\b\\tc', 'another action'))).toBe(
    'audit: other values in its 1 rows',
  )
})

test('a bucket that stops in the middle of a download ends the rehearsal, and nothing of it stays', async () => {
  const { directory, bucket, bucketUrl } = vault()
  rehearsedLately(directory)
  await open({ directory, bucketUrl }).turn()
  const [path, { bytes } = expect.unreachable('nothing was sent')] = [...bucket.kept][0] ?? []
  let isAsked = false
  bucket.trouble.fail = ({ method }) => {
    if (method !== 'GET') return undefined
    isAsked = true
    const half = new ReadableStream({ start: (to) => to.enqueue(bytes.subarray(0, bytes.length / 2)) })
    return new Response(half)
  }
  const content = await inBucket(bucketUrl).open((path as string).split('/').at(-1) ?? '')
  const place = { identity: operator.identity, expected: new Tally(), serverUrl: source.url }
  await expect(rehearse({ ...place, content, readWithinMs: 500 })).rejects.toThrow('was not read in time')
  expect([isAsked, await scratchDatabases()]).toEqual([true, 0])
})

test('rotation deletes old backups in both places, and nothing that the service has not written', async () => {
  const { directory, bucket, bucketUrl } = vault()
  const old = [1, 2, 3].map((day) => sealedName(new Date(Date.UTC(2026, 0, day))))
  const foreign = ['blockdraw-by-hand.backup.gz', 'blockdraw-20200101T000000Z.backup.gz', 'notes.txt']
  for (const name of [...old, ...foreign]) {
    writeFileSync(join(directory, name), 'x')
    bucket.kept.set(`/vault/raffle/${name}`, { bytes: new Uint8Array(1), type: null })
  }
  bucket.kept.set(`/vault/${old[0]}`, { bytes: new Uint8Array(1), type: null }) // another raffle's
  rehearsedLately(directory)
  await open({ directory, bucketUrl }).turn()
  const [made = ''] = backupsIn(directory).filter((name) => !old.includes(name))
  expect(readdirSync(directory).sort()).toEqual([old[2], made, ...foreign, 'state.json'].sort())
  const kept = [...bucket.kept.keys()].sort()
  const left = [old[2], made, ...foreign].map((name) => `/vault/raffle/${name}`)
  expect(kept).toEqual([`/vault/${old[0]}`, ...left].sort())
  expect(await inBucket(bucketUrl).list()).toEqual([old[2], made])
})

test('two backups of one second are two', async () => {
  const { directory } = vault()
  const of = { databaseUrl: source.url, recipients: [operator.recipient] }
  for (let i = 0; i < 2; i++) await makeBackup(inDirectory(directory), of)
  expect(backupsIn(directory)).toHaveLength(2)
})

test('the service is killed in each step: no half file is taken for a backup, and the next start goes on', async () => {
  const { directory: dataDir, bucket, bucketUrl } = vault()
  const directory = join(dataDir, 'backups')
  const lines: string[] = []
  const start = async () =>
    startProcess('backup-service', {
      env: {
        PATH: process.env.PATH,
        DATABASE_URL: source.url,
        DATA_DIR: dataDir,
        BACKUP_AGE_RECIPIENT: operator.recipient,
        BACKUP_URL: bucketUrl,
        METRICS_PORT: `${await freePort()}`,
      },
      onLine: (line) => lines.push(line),
    })
  const kill = async (child: Awaited<ReturnType<typeof start>>) => {
    child.kill()
    await child.exited
  }
  const halves = () => readdirSync(directory).filter((name) => name.endsWith('.part'))
  const whole = async () => {
    for (const name of backupsIn(directory))
      expect(await opened(readFileSync(join(directory, name)), operator.identity)).toMatch(
        /"end":true,"tables":\d+\}\n$/,
      )
    return backupsIn(directory).length
  }

  // A table is locked: the backup waits in its middle.
  const locked = Promise.withResolvers<void>()
  const letGo = Promise.withResolvers<void>()
  const holding = source.db.transaction(async (tx) => {
    await tx.execute(sql`lock table payments in access exclusive mode`)
    locked.resolve()
    await letGo.promise
  })
  await locked.promise
  let child = await start()
  await until(() => halves().length === 1, 'half a backup')
  await kill(child)
  letGo.resolve()
  await holding
  expect([await whole(), bucket.kept.size]).toEqual([0, 0])

  let isAsked = false
  bucket.trouble.fail = ({ method }) => {
    if (method !== 'PUT') return undefined
    isAsked = true
    return new Promise<undefined>(() => undefined)
  }
  child = await start()
  await until(() => isAsked, 'an upload')
  await kill(child)
  expect([await whole(), halves(), bucket.kept.size]).toEqual([1, [], 0])

  // What was made is sent, not made again; the key for its rehearsal is gone, the next one is rehearsed.
  bucket.trouble.fail = ({ method, url }) =>
    method === 'GET' && url.includes('.age') ? new Promise<undefined>(() => undefined) : undefined
  child = await start()
  await until(() => bucket.kept.size === 1, 'the backup in the bucket')
  await kill(child)
  rmSync(join(directory, 'state.json'))
  child = await start()
  await until(async () => (await scratchDatabases()) === 1, 'a rehearsal')
  await kill(child)
  expect(await whole()).toBe(2)

  bucket.trouble.fail = undefined
  rmSync(join(directory, 'state.json'))
  child = await start()
  await until(() => lines.some((line) => line.includes('backup rehearsed')), 'a rehearsed backup')
  const port = lines.flatMap((line) => /"port":(\d+),"msg":"metrics are served"/.exec(line)?.[1] ?? []).at(-1)
  const figures = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  expect(figures).toContain('blockdraw_backup_rehearsal_failed 0')
  child.stop()
  expect(await child.exited).toBe(0)
  expect([await whole(), halves(), await scratchDatabases()]).toEqual([3, [], 0])

  const printed = lines.join('\n')
  for (const secret of ['secret/+=', encodeURIComponent('secret/+='), new URL(source.url).password])
    expect(printed).not.toContain(secret)
})

test('V3: without a key nothing is made and the figures tell; a wrong one stops the start', async () => {
  const { directory: dataDir } = vault()
  const env = {
    PATH: process.env.PATH,
    DATABASE_URL: source.url,
    DATA_DIR: dataDir,
    METRICS_PORT: `${await freePort()}`,
  }
  const lines: string[] = []
  const child = await startProcess('backup-service', { env, onLine: (line) => lines.push(line) })
  undo.push(child.kill)
  expect(lines.join('\n')).toContain('BACKUP_AGE_RECIPIENT is not set')
  const port = /"port":(\d+)/.exec(lines.join('\n'))?.[1]
  const figures = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  expect(figures).toContain('blockdraw_backup_age_seconds{place="here"} +Inf')
  // The secret half of a key, by mistake: it is not repeated.
  const starting = startProcess('backup-service', {
    env: { ...env, BACKUP_AGE_RECIPIENT: operator.identity },
  })
  await expect(starting).rejects.toThrow(/BACKUP_AGE_RECIPIENT must be a public key/)
  await starting.catch((error: Error) => expect(error.message).not.toContain(operator.identity))
})
