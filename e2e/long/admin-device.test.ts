import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { admin, arrive, fillLogin, refusals } from '../lab/admin-verbs.ts'
import { openStory } from '../lab/story.ts'

const story = openStory({ env: { ADMIN_USERNAME: admin.username, ADMIN_PASSWORD: admin.password } })
const visit = () => story.visit({ path: '/admin-login', allow: [...refusals, /429/], withWallet: false })
const idOf = (page: Page) => page.evaluate(() => localStorage.getItem('blockdraw:device'))

/** Hashes of the browsers that logged in, in their order. */
async function devices(): Promise<(string | null)[]> {
  const rows = await story.stack.db.execute<{ hash: string | null }>(
    sql`select device_hash as hash from sessions order by created_at`,
  )
  return rows.map(({ hash }) => hash)
}

test('a browser keeps its id from login to login, and gets in while strangers of its address are refused (A1)', async () => {
  const office = await visit()
  await fillLogin(office.page)
  await arrive(office.page)
  const id = (await idOf(office.page)) ?? ''
  expect(id).toMatch(/^[0-9a-f]{64}$/)
  const hash = createHash('sha256').update(id).digest('hex')
  expect(await devices()).toEqual([hash])
  await office.page.evaluate(() => localStorage.removeItem('adminToken'))

  await story.stack.db.execute(
    sql`insert into login_failures (kind, client_address) select 'password', '127.0.0.1' from generate_series(1, 10)`,
  )
  const stranger = await visit()
  await fillLogin(stranger.page)
  await stranger.page.getByText('로그인 시도가 너무 많습니다.').waitFor()
  expect(await idOf(stranger.page)).not.toBe(id)

  await office.page.goto(`${story.stack.url}/admin-login`)
  await fillLogin(office.page)
  await arrive(office.page)
  expect(await idOf(office.page)).toBe(id)
  expect(await devices()).toEqual([hash, hash])
})
