import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { bumpVersion } from '../../db/event/terms.ts'
import { openAdminApi } from '../../e2e/lab/admin-api.ts'
import { openDrawWorld } from '../../e2e/lab/draw-story.ts'
import { forFile } from '../../e2e/lab/opened.ts'

const adminApi = await forFile(openAdminApi())
const world = await forFile(openDrawWorld({ database: adminApi }))

/** Rows that a test of its own tells apart by their numbers. */
const add = (from: number, to: number) =>
  world.db.execute(sql`insert into changes (event_number, field, "from", "to")
    select 1, 'anchor', null, n::text from generate_series(${from}::int, ${to}::int) n`)

async function page(path: string) {
  const response = await adminApi.send('GET', path)
  const rows = response.ok ? ((await response.json()) as { field: string; to: string }[]) : []
  const next = /^<([^>]+)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1]
  return { next, seen: rows.filter(({ field }) => field === 'anchor').map(({ to }) => Number(to)) }
}

test('the list of changes comes in pages of 200, each row once, whatever is added meanwhile', async () => {
  await add(1, 450)
  await world.db.transaction((tx) => bumpVersion(tx))
  await expect.poll(async () => (await page('/api/raffle/changes')).seen[0], { timeout: 60_000 }).toBe(450)
  const first = await page('/api/raffle/changes')
  expect(first.seen).toHaveLength(200)
  await add(451, 500)
  const second = await page(first.next as string)
  const third = await page(second.next as string)
  expect([...first.seen, ...second.seen, ...third.seen]).toEqual(
    Array.from({ length: 450 }, (_, index) => 450 - index),
  )
  expect(third.next).toBeUndefined()
  expect((await adminApi.send('GET', '/api/raffle/changes?cursor=x')).status).toBe(422)
})

test('no page is kept for good below a row that is still to come: a stranger would hide what is listed until then', async () => {
  const newest = await newestId()
  const future = `/api/raffle/changes?cursor=${newest + 50}`
  const before = await adminApi.send('GET', future)
  expect(before.status).toBe(404)
  expect(before.headers.get('cache-control')).not.toMatch(/immutable/)
  await add(501, 600)
  // A missing page is looked for twice a second.
  await expect.poll(async () => (await page(future)).seen[0], { timeout: 60_000 }).toBe(549)
})

async function newestId(): Promise<number> {
  const [row] = await world.db.execute<{ id: string }>(sql`select max(id) as id from changes`)
  return Number(row?.id)
}
