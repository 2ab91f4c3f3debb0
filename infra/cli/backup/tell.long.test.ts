import pino from 'pino'
import { expect, test } from 'vitest'
import { notifications } from '../../../db/schema/index.ts'
import { testDb } from '../../../e2e/lab/database.ts'
import { forFile, forTest } from '../../../e2e/lab/opened.ts'
import { startTcpProxy } from '../../../e2e/lab/tcp-proxy.ts'
import { backupTeller } from './tell.ts'

const database = await forFile(testDb())

test('a backup that failed is told once, and when the database was away as soon as it is back', async () => {
  const url = new URL(database.urlOf('backup'))
  const proxy = await forTest(startTcpProxy({ port: Number(url.port) }))
  url.host = `127.0.0.1:${proxy.port}`
  const teller = backupTeller(url.href, pino({ level: 'silent' }))
  await teller.tell()
  proxy.set('reset')
  teller.failed('send')
  teller.failed('send')
  await teller.tell()
  expect(await database.db.select().from(notifications)).toEqual([])
  proxy.set('none')
  await teller.tell()
  await teller.tell()
  expect(await database.db.select().from(notifications)).toMatchObject([
    { kind: 'backup_failed', facts: { step: 'send' } },
  ])
})

test('that there is a backup is noted once a day, also by a service that was started again', async () => {
  const url = database.urlOf('backup')
  const log = pino({ level: 'silent' })
  const made = (at: string) => ({ name: `blockdraw-${at}`, at, isOffSite: true })
  const kept = async () =>
    (await database.db.select().from(notifications))
      .filter(({ kind }) => (kind as string) === 'backup_made')
      .map(({ subject, facts }) => [subject, facts.madeAt])
  const teller = backupTeller(url, log)
  await teller.tell(made('2026-01-01T10:00:00.000Z'))
  await teller.tell(made('2026-01-01T11:00:00.000Z'))
  await backupTeller(url, log).tell(made('2026-01-01T12:00:00.000Z'))
  expect(await kept()).toEqual([['2026-01-01', '2026-01-01T10:00:00.000Z']])
  await teller.tell(made('2026-01-02T00:10:00.000Z'))
  expect((await kept()).length).toBe(2)
})
