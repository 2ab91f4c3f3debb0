import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { Picture } from '../../core/content/event-content.ts'
import { openAdminSession } from '../../e2e/lab/admin-api.ts'
import { bitmap } from '../../e2e/lab/bitmap.ts'
import { aContent, aPrize } from '../../e2e/lab/content.ts'
import { contentApi } from '../../e2e/lab/content-api.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'

const adminApi = forEachTest(openAdminSession)

const { getNext, saveNext } = contentApi(adminApi)

/** Uploads a picture, and answers its key and its stored bytes. */
async function upload(width: number, height: number) {
  const bytes = await new Bun.Image(bitmap(width, height)).png().bytes()
  const { body } = await adminApi.ask('POST', '/api/admin/upload/image', {
    contentType: 'image/png',
    size: bytes.length,
  })
  const url = new URL(body.uploadURL)
  const put = () =>
    adminApi.call('PUT', url.pathname + url.search, {
      body: bytes,
      headers: { 'content-type': 'image/png', 'content-length': `${bytes.length}` },
    })
  expect((await put()).status).toBe(200)
  const stored = new Uint8Array(await (await adminApi.send('GET', url.pathname)).arrayBuffer())
  return { key: url.pathname.split('/').at(-1) as string, stored, put }
}

test('hash and size of a picture are those of the stored file, whatever a form says', async () => {
  const { key, stored } = await upload(30, 20)
  const alt = { en: 'A bicycle', ko: '자전거' }
  const sha256 = `0x${createHash('sha256').update(stored).digest('hex')}`
  const pictured = (change: object) =>
    aContent({ prizes: [aPrize(), aPrize({ pictures: [{ key, alt, ...change } as Picture] })] })
  const { status, body } = await saveNext(pictured({}))
  expect(status).toBe(200)
  expect(body.draft.prizes[1].pictures).toEqual([{ key, sha256, width: 30, height: 20, alt }])
  expect(body.promised).toContain(`"pictures":["${sha256}"]`)
  // What was answered can be sent again.
  expect((await saveNext(body.draft)).status).toBe(200)
  const before = (await getNext()).draft
  for (const [field, value] of [
    ['sha256', `0x${'11'.repeat(32)}`],
    ['width', 31],
    ['height', 21],
    ['key', `${'0'.repeat(32)}.png`],
  ] as const)
    expect((await saveNext(pictured({ [field]: value }))).body).toMatchObject({
      ...{ code: 'INVALID_VALUE', field: `content.prizes.1.pictures.0.${field}` },
    })
  expect((await getNext()).draft).toEqual(before)
})

test('a stored picture is never overwritten, also where its address was forgotten to be used', async () => {
  const { key, stored, put } = await upload(30, 20)
  expect(await put()).toMatchObject({ status: 409, body: { code: 'UPLOAD_USED' } })
  await adminApi.db.execute(sql`update uploads set used_at = null`)
  expect(await put()).toMatchObject({ status: 409, body: { code: 'UPLOAD_USED' } })
  const served = await adminApi.send('GET', `/api/uploads/${key}`)
  expect(new Uint8Array(await served.arrayBuffer())).toEqual(stored)
})
