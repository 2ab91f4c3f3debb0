import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import { expect, onTestFinished, test } from 'vitest'
import { testDb } from '../../e2e/lab/database.ts'
import { forFile } from '../../e2e/lab/opened.ts'
import { addAudit, listAudit } from './settings.ts'

const database = await forFile(testDb())
const entry = { actor: 'owner', action: 'login', outcome: '200' }

test('rows of the audit list are added, and nobody changes, removes or empties them (I38)', async () => {
  await addAudit(database.dbOf('api'), entry)
  await addAudit(database.dbOf('api'), { ...entry, before: null, after: { text: 'ä\\N"\t\n' } })
  const rows = await listAudit(database.db, {})
  expect(rows).toMatchObject([
    { id: 2, after: { text: 'ä\\N"\t\n' } },
    { id: 1, before: null },
  ])
  for (const statement of ["update audit set actor = 'x'", 'delete from audit', 'truncate audit'])
    for (const [login, message] of [
      ['api', 'permission denied for table audit'],
      ['worker', 'permission denied for table audit'],
      ['owner', 'audit is append-only'],
    ] as const) {
      const db = login === 'owner' ? database.db : database.dbOf(login)
      await expect(db.execute(sql.raw(statement)), statement).rejects.toMatchObject({ cause: { message } })
    }
  expect(await listAudit(database.db, {})).toEqual(rows)
})

test("each row is one line of JSON in the server's log as well (I38)", async () => {
  const lines: string[] = []
  const client = postgres(database.url, {
    max: 1,
    connection: { client_min_messages: 'log' },
    onnotice: ({ message = '' }) => lines.push(message),
  })
  onTestFinished(() => client.end())
  await addAudit(drizzle(client), { ...entry, after: { text: 'two\nlines' } })
  expect(lines).toEqual([expect.stringMatching(/^audit \{.*\}$/)])
  expect(JSON.parse(lines[0]?.slice('audit '.length) ?? '')).toMatchObject({
    actor: 'owner',
    after: { text: 'two\nlines' },
  })
})
