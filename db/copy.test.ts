import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { testDb } from '../e2e/lab/database.ts'
import { forTest } from '../e2e/lab/opened.ts'
import { connect, copyCsv, isDatabaseOutage } from './index.ts'

const rows = (count: number) => sql`select n, 'row ' || n from generate_series(1, ${count}::int) as n`

async function textOf(chunks: AsyncIterable<Buffer>): Promise<string> {
  let text = ''
  for await (const chunk of chunks) text += chunk
  return text
}

test('a transaction copies what it sees, and goes on after it', async () => {
  const { db } = await forTest(testDb())
  await db.transaction(async (tx) => {
    await tx.execute(sql`create temporary table seen (text text)`)
    await tx.execute(sql`insert into seen values ('it''s me'), ('a,b')`)
    const found = await textOf(await copyCsv(tx, sql`select text from seen where text <> ${"o'clock"}`))
    expect(found).toBe(`it's me\n"a,b"\n`)
    expect(await tx.execute(sql`select 1 as n`)).toEqual([{ n: 1 }])
  })
})

test('who reads slower than Postgres sends, and more than is kept, gets all, and the connection is free after it', async () => {
  const database = await forTest(testDb())
  const { db, close } = connect(database.url, { max: 1 })
  for (const count of [1, 5_000, 20_000, 65_536]) {
    let lines = 0
    for await (const chunk of await copyCsv(db, rows(count))) {
      lines += chunk.toString().split('\n').length - 1
      if (lines % 1_000 === 0) await new Promise((resolve) => setImmediate(resolve))
    }
    expect(lines).toBe(count)
    expect(await db.execute(sql`select 1 as n`)).toEqual([{ n: 1 }])
  }
  await close()
})

test('who stops reading leaves a connection that answers again', async () => {
  const database = await forTest(testDb())
  const { db, close } = connect(database.url, { max: 1 })
  for await (const _ of await copyCsv(db, rows(100_000))) break
  expect(await db.execute(sql`select 1 as n`)).toEqual([{ n: 1 }])
  await close()
})

const readers = {
  'asks for each chunk': async (found: Readable, onFirst: () => Promise<void>) => {
    let isFirst = true
    for await (const _ of found) {
      if (isFirst) await onFirst()
      isFirst = false
    }
  },
  'is handed each chunk': async (found: Readable, onFirst: () => Promise<void>) => {
    found.once('data', onFirst)
    await finished(found)
  },
}

test.each(Object.entries(readers))(
  'Q4: a connection that ends in the middle fails a reader who %s, and the next call has a new one',
  async (_, read) => {
    const database = await forTest(testDb())
    const { db, close } = connect(database.url, { max: 1 })
    const [mine] = await db.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`)
    // Its connection is there before rows keep the loop busy.
    await database.db.execute(sql`select 1`)
    const found = await copyCsv(db, rows(10_000_000))
    const failure = await read(found, async () => {
      await database.db.execute(sql`select pg_terminate_backend(${mine?.pid})`)
    }).catch((error) => error)
    expect(isDatabaseOutage(failure)).toBe(true)
    expect(await db.execute(sql`select 1 as n`)).toEqual([{ n: 1 }])
    await close()
  },
)

test('one that fails before its first row is read tells its reader, and is no uncaught error beside', async () => {
  const { url } = await forTest(testDb())
  // A program of its own, as those that log what nobody has caught.
  const child = Bun.spawn([process.execPath, '-e', failing], {
    ...{ cwd: import.meta.dirname, env: { PATH: process.env.PATH, DATABASE_URL: url } },
    ...{ stdout: 'pipe', stderr: 'inherit' },
  })
  expect(await new Response(child.stdout).text()).toBe(`${'told: division by zero\n'.repeat(5)}answers: 1\n`)
  expect(await child.exited).toBe(0)
})

const failing = `
import { sql } from 'drizzle-orm'
import { connect, copyCsv } from './index.ts'
process.on('uncaughtException', ({ message }) => console.log('uncaught:', message))
const { db, close } = connect(process.env.DATABASE_URL, { max: 1 })
// Over a connection that is warm the rows and the error come at once.
for (let tries = 0; tries < 5; tries++)
  try {
    for await (const _ of await copyCsv(db, sql\`select 1 / (2 - n) from generate_series(1, 3) as n\`));
  } catch (error) {
    console.log('told:', error.message)
  }
const [row] = await db.execute(sql\`select 1 as n\`)
console.log('answers:', row.n)
await close()
`
