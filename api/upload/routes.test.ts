import { readdirSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { openAdminSession } from '../../e2e/lab/admin-api.ts'
import { bitmap } from '../../e2e/lab/bitmap.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { cleanImage } from './image.ts'

const adminApi = forEachTest(openAdminSession)

const jpeg = (width = 64, height = 48) => new Bun.Image(bitmap(width, height)).jpeg({ quality: 90 }).bytes()
const png = (width = 64, height = 48) => new Bun.Image(bitmap(width, height)).png().bytes()

const sign = (body: unknown) => adminApi.ask('POST', '/api/admin/upload/image', body)
const pathOf = (uploadURL: string) => uploadURL.replace('http://localhost', '')
const put = (path: string, bytes: Uint8Array, headers: Record<string, string>) =>
  adminApi.call('PUT', path, { body: bytes, headers: { 'content-length': `${bytes.length}`, ...headers } })
/** Signs and sends in one go. */
async function upload(bytes: Uint8Array, contentType = 'image/jpeg') {
  const { body } = await sign({ contentType, size: bytes.length })
  const path = pathOf(body.uploadURL)
  return { path, ...(await put(path, bytes, { 'content-type': contentType })) }
}

test('an image is uploaded once and served only as a picture (U1, U2, I29)', async () => {
  for (const [make, type] of [
    [jpeg, 'image/jpeg'],
    [png, 'image/png'],
  ] as const) {
    const { status, path } = await upload(await make(), type)
    expect(status).toBe(200)
    const served = await adminApi.send('GET', path.split('?')[0] as string)
    expect(served.status).toBe(200)
    expect(Object.fromEntries(served.headers)).toMatchObject({
      'content-type': type,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'public, max-age=31536000, immutable',
    })
    const picture = await new Bun.Image(await served.arrayBuffer()).metadata()
    expect(picture).toMatchObject({ width: 64, height: 48, format: type.slice(6) })
  }
})

test('the stored URL is the upload URL without its query, and the event accepts it', async () => {
  const { path } = await upload(await jpeg())
  const prizeImageUrl = `http://localhost${path.split('?')[0]}`
  const saved = await adminApi.ask('POST', '/api/admin/event/settings', { prizeImageUrl })
  expect(saved.body.prizeImageUrl).toBe(prizeImageUrl)
})

test('an address whose upload was never finished is no image of the event (I29)', async () => {
  const bytes = await jpeg()
  const { body } = await sign({ contentType: 'image/jpeg', size: bytes.length })
  const path = pathOf(body.uploadURL)
  const prizeImageUrl = body.uploadURL.split('?')[0]
  const save = () => adminApi.ask('POST', '/api/admin/event/settings', { prizeImageUrl })
  const refused = { status: 422, body: { code: 'INVALID_URL', field: 'prizeImageUrl' } }
  expect(await save()).toMatchObject(refused)
  // Its one use was spent on something that is no picture.
  const headers = { 'content-type': 'image/jpeg' }
  expect((await put(path, Buffer.alloc(bytes.length, 'x'), headers)).body.code).toBe('NOT_AN_IMAGE')
  expect(await save()).toMatchObject(refused)
})

test('only the pixels are kept: no EXIF, no text after the end, orientation applied (U2)', async () => {
  const plain = Buffer.from(await jpeg())
  const orientation = Buffer.from('49492a0008000000010012010300010000000600000000000000', 'hex')
  const exif = Buffer.concat([Buffer.from([0xff, 0xe1, 0, 34]), Buffer.from('Exif\0\0'), orientation])
  const comment = Buffer.from('\xff\xfe\x00\x12<script>boo()', 'latin1')
  const hostile = Buffer.concat([
    plain.subarray(0, 2),
    exif,
    comment,
    plain.subarray(2),
    Buffer.from('<html><script>'),
  ])
  const { status, path } = await upload(hostile)
  expect(status).toBe(200)
  const served = Buffer.from(await (await adminApi.send('GET', path.split('?')[0] as string)).arrayBuffer())
  for (const trace of ['Exif', 'script', 'html']) expect(served.includes(trace)).toBe(false)
  expect(await new Bun.Image(served).metadata()).toMatchObject({ width: 48, height: 64 })
})

test('a file that is not a picture is refused and not served (U2)', async () => {
  const [whole, wholePng] = [Buffer.from(await jpeg()), Buffer.from(await png())]
  const corpus: [string, Uint8Array, number, string][] = [
    ['html', Buffer.from('<html><script>alert(1)</script>'), 422, 'NOT_AN_IMAGE'],
    ['svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="x()"/>'), 422, 'NOT_AN_IMAGE'],
    ['xml', Buffer.from('<?xml version="1.0"?><svg/>'), 422, 'NOT_AN_IMAGE'],
    ['pdf', Buffer.from('%PDF-1.7 '), 422, 'NOT_AN_IMAGE'],
    ['zip', Buffer.from('PK\x03\x04'), 422, 'NOT_AN_IMAGE'],
    ['one byte', Buffer.from([0xff]), 422, 'NOT_AN_IMAGE'],
    ['magic bytes alone', Buffer.from([0xff, 0xd8, 0xff, 0xe0]), 422, 'NOT_AN_IMAGE'],
    ['gif', Buffer.from('GIF89a\x01\0\x01\0\0\0\0;', 'latin1'), 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['webp', Buffer.from(await new Bun.Image(bitmap(8, 8)).webp().bytes()), 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['bmp', bitmap(8, 8), 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['png called jpeg', wholePng, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['cut in the header', whole.subarray(0, 300), 422, 'NOT_AN_IMAGE'],
    ['cut in the picture', whole.subarray(0, whole.length - 500), 422, 'NOT_AN_IMAGE'],
    [
      'script behind magic bytes',
      Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.from('<script>\xff\xd9', 'latin1')]),
      422,
      'NOT_AN_IMAGE',
    ],
  ]
  for (const [name, bytes, status, code] of corpus) {
    const answer = await upload(bytes)
    expect([name, answer.status, answer.body.code]).toEqual([name, status, code])
    expect((await adminApi.send('GET', answer.path.split('?')[0] as string)).status).toBe(404)
  }
  const cutPng = await upload(wholePng.subarray(0, wholePng.length - 12), 'image/png')
  expect(cutPng.body.code).toBe('NOT_AN_IMAGE')
  expect(readdirSync(adminApi.dir)).toEqual([])
})

test('a pixel bomb is refused by its header (U2)', async () => {
  const bomb = Buffer.from(await png(8, 8))
  bomb.writeUInt32BE(40_001, 16)
  bomb.writeUInt32BE(1_000, 20)
  // The header's own check sum, else it would be refused as broken.
  bomb.writeUInt32BE(Bun.hash.crc32(bomb.subarray(12, 29)), 29)
  expect((await upload(bomb, 'image/png')).body.code).toBe('TOO_MANY_PIXELS')
})

test('a signed URL is valid for the signed values, once, for five minutes (U1)', async () => {
  const bytes = await jpeg()
  const { body } = await sign({ contentType: 'image/jpeg', size: bytes.length })
  const path = pathOf(body.uploadURL)
  const headers = { 'content-type': 'image/jpeg' }
  const changed = (from: string | RegExp, to: string) => put(path.replace(from, to), bytes, headers)
  const otherKey = path.includes('/00') ? '/01' : '/00'
  const denied = { status: 403, body: { code: 'UPLOAD_DENIED' } }
  expect(await changed(/\/[0-9a-f]{2}/, otherKey)).toMatchObject(denied)
  expect(await changed(/size=\d+/, 'size=5242880')).toMatchObject(denied)
  expect(await changed(/expires=\d+/, 'expires=9999999999')).toMatchObject(denied)
  expect(await changed('image%2Fjpeg', 'image%2Fpng')).toMatchObject(denied)
  expect(await changed(/signature=.{6}/, 'signature=AAAAAA')).toMatchObject(denied)
  expect(await changed(/\?.*/, '')).toMatchObject(denied)
  expect(await changed(/uploads\/.*\?/, 'uploads/..%2F..%2Fetc%2Fpasswd?')).toMatchObject(denied)
  expect(await put(path, bytes, { 'content-type': 'image/png' })).toMatchObject(denied)
  expect(await put(path, bytes, { 'content-type': 'text/html' })).toMatchObject(denied)
  expect(await put(path, bytes, { ...headers, 'content-length': '7' })).toMatchObject(denied)
  expect(await put(path, bytes, { ...headers, 'content-length': '6000000' })).toMatchObject({ status: 413 })
  expect(await adminApi.call('PUT', path, { body: bytes, headers })).toMatchObject({
    status: 411,
    body: { code: 'LENGTH_REQUIRED' },
  })
  expect((await put(path, bytes, headers)).status).toBe(200)
  expect(await put(path, bytes, headers)).toMatchObject({ status: 409, body: { code: 'UPLOAD_USED' } })
  const both = pathOf((await sign({ contentType: 'image/jpeg', size: bytes.length })).body.uploadURL)
  const answers = await Promise.all([put(both, bytes, headers), put(both, bytes, headers)])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
})

test('a wrong length is detected while the body is read (U1)', async () => {
  const { body } = await sign({ contentType: 'image/jpeg', size: 1_000 })
  const path = pathOf(body.uploadURL)
  const headers = { 'content-type': 'image/jpeg', 'content-length': '1000' }
  expect(await put(path, Buffer.alloc(6_000_000), headers)).toMatchObject({ status: 413 })
  const shorter = pathOf((await sign({ contentType: 'image/jpeg', size: 1_000 })).body.uploadURL)
  expect(await put(shorter, Buffer.alloc(999), headers)).toMatchObject({ status: 403 })
  const longer = pathOf((await sign({ contentType: 'image/jpeg', size: 1_000 })).body.uploadURL)
  expect(await put(longer, Buffer.alloc(1_001), headers)).toMatchObject({ status: 403 })
})

test('bad requests are refused before they are signed', async () => {
  const code = async (body: unknown) => (await sign(body)).body.code
  expect(await code({ contentType: 'image/gif', size: 10 })).toBe('UNSUPPORTED_MEDIA_TYPE')
  expect(await code({ contentType: '__proto__', size: 10 })).toBe('UNSUPPORTED_MEDIA_TYPE')
  expect(await code({ contentType: 7, size: 10 })).toBe('INVALID_VALUE')
  expect(await code({ contentType: 'image/png', size: 5_242_881 })).toBe('BODY_TOO_LARGE')
  for (const size of [0, -1, 1.5, '10', null, 1e300, undefined])
    expect(await code({ contentType: 'image/png', size })).toBe('INVALID_VALUE')
  expect(await code({ contentType: 'image/png', size: 1, name: 'x' })).toBe('UNKNOWN_FIELD')
  await adminApi.db.execute(sql`insert into uploads (key, admin_id, client_address)
    select 'k' || i, 1, '10.1.2.3' from generate_series(1, 100) i`)
  expect(await sign({ contentType: 'image/png', size: 1 })).toMatchObject({
    status: 429,
    body: { code: 'RATE_LIMITED' },
  })
})

/** As a camera writes it beside the pixels, in a PNG. */
function turned(plain: Buffer, orientation: number): Buffer {
  const exif = Buffer.from('49492a0008000000010012010300010000000600000000000000', 'hex')
  exif.writeUInt16LE(orientation, 18)
  const chunk = Buffer.concat([Buffer.alloc(4), Buffer.from('eXIf'), exif, Buffer.alloc(4)])
  chunk.writeUInt32BE(exif.length)
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4)
  return Buffer.concat([plain.subarray(0, 33), chunk, plain.subarray(33)])
}

test('a PNG that lies on its side is served upright, whatever else its EXIF says (U2, F21)', async () => {
  const plain = Buffer.from(await png())
  const sizes: [number, number, number][] = [
    [1, 64, 48],
    [3, 64, 48],
    [5, 48, 64],
    [6, 48, 64],
    [8, 48, 64],
    [9, 64, 48],
  ]
  for (const [orientation, width, height] of sizes) {
    const { whole } = await cleanImage(turned(plain, orientation), 'image/png')
    const { width: w, height: h } = await new Bun.Image(whole).metadata()
    expect([orientation, w, h]).toEqual([orientation, width, height])
    expect(Buffer.from(whole).includes('eXIf')).toBe(false)
  }
  const broken = turned(plain, 6)
  broken.writeUInt32LE(0xffffffff, 33 + 8 + 4)
  expect(await new Bun.Image((await cleanImage(broken, 'image/png')).whole).metadata()).toMatchObject({
    width: 64,
  })
})

test('narrower pictures stand beside a wide one, and none is larger than it was', async () => {
  const served = async (address: string) => {
    const response = await adminApi.send('GET', address)
    const type = response.headers.get('content-type')
    if (response.status !== 200) return { status: response.status }
    const { width, height, format } = await new Bun.Image(await response.arrayBuffer()).metadata()
    return { status: 200, type, width, height, format }
  }
  const wide = pathOf((await upload(await jpeg(1_300, 130))).path).split('?')[0] as string
  const beside = (address: string, width: number) => address.replace(/\.jpg$/, `-${width}.webp`)
  expect(await served(beside(wide, 480))).toEqual({
    ...{ status: 200, type: 'image/webp', width: 480, height: 48, format: 'webp' },
  })
  expect(await served(beside(wide, 1_200))).toMatchObject({ width: 1_200, height: 120, format: 'webp' })
  expect((await served(beside(wide, 481))).status).toBe(404)
  // A small one, or one that was stored before there were any, is served as it is.
  const small = pathOf((await upload(await jpeg())).path).split('?')[0] as string
  expect(await served(beside(small, 480))).toMatchObject({ type: 'image/jpeg', width: 64, height: 48 })
  expect((await served(`/api/uploads/${'0'.repeat(32)}-480.webp`)).status).toBe(404)
})
