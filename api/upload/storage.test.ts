import { createHash, createHmac } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { openStorage } from './storage.ts'

const undo: (() => unknown)[] = []
afterEach(async () => {
  for (const step of undo.splice(0)) await step()
})

const picture = Buffer.from('picture')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** AWS Signature Version 4 of a request by its documentation, without a library. */
async function isSigned(request: Request, secret: string): Promise<boolean> {
  const url = new URL(request.url)
  const given =
    /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      request.headers.get('authorization') ?? '',
    )
  const [, credential = '', signedHeaders = '', signature] = given ?? []
  const [, day = '', region = '', service = '', end = ''] = credential.split('/')
  const payload = request.headers.get('x-amz-content-sha256') ?? ''
  if (payload !== 'UNSIGNED-PAYLOAD' && payload !== sha256(await request.clone().bytes())) return false
  const query = [...url.searchParams].map((pair) => pair.map(encodeURIComponent).join('=')).sort()
  const headers = signedHeaders.split(';').map((name) => `${name}:${request.headers.get(name)?.trim()}\n`)
  const canonical = [request.method, url.pathname, query.join('&'), headers.join(''), signedHeaders, payload]
  const scope = [day, region, service, end].join('/')
  const time = request.headers.get('x-amz-date') ?? ''
  const toSign = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical.join('\n'))].join('\n')
  const key = [day, region, service, end].reduce<string | Buffer>(hmac, `AWS4${secret}`)
  return signedHeaders.split(';').includes('host') && hmac(key, toSign).toString('hex') === signature
}

type Kept = { bytes: Uint8Array<ArrayBuffer>; type: string | null }

/** A bucket that accepts correctly signed requests, keeps types and answers as S3 does; `fail` breaks it. */
function openBucket(secret = 'secret/+=') {
  const kept = new Map<string, Kept>()
  const trouble: { fail?: () => Response | Promise<Response> } = {}
  const refuse = (status: number, code: string) =>
    new Response(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`, {
      status,
      headers: { 'content-type': 'application/xml' },
    })
  const server = Bun.serve({
    port: 0,
    async fetch(request) {
      if (trouble.fail) return trouble.fail()
      if (!(await isSigned(request, secret))) return refuse(403, 'SignatureDoesNotMatch')
      const { pathname } = new URL(request.url)
      if (!pathname.startsWith('/prizes/')) return refuse(404, 'NoSuchBucket')
      if (request.method === 'PUT') {
        kept.set(pathname, { bytes: await request.bytes(), type: request.headers.get('content-type') })
        return new Response(null, { headers: { etag: '"x"' } })
      }
      const found = kept.get(pathname)
      if (!found) return refuse(404, 'NoSuchKey')
      return new Response(found.bytes as Uint8Array<ArrayBuffer>, {
        headers: { 'content-type': found.type ?? '' },
      })
    },
  })
  undo.push(() => server.stop(true))
  const url = (path = 'prizes', word = secret) =>
    `s3://id:${encodeURIComponent(word)}@localhost:${server.port}/${path}?region=eu-1&insecure=true`
  return { url, kept, trouble, refuse }
}

test('images are in a bucket under their key with their type, every request signed', async () => {
  const { url, kept } = openBucket()
  const storage = openStorage(url())
  await storage.save('a.png', picture, 'image/png')
  expect([...kept].map(([path, { type }]) => [path, type])).toEqual([['/prizes/a.png', 'image/png']])
  expect(await (await storage.open('a.png'))?.text()).toBe('picture')
  expect(await storage.open('b.png')).toBeUndefined()
})

test('five megabytes are stored and read back unchanged', async () => {
  const { url } = openBucket()
  const storage = openStorage(url())
  const large = crypto.getRandomValues(new Uint8Array(65_536))
  const bytes = Buffer.concat(Array(80).fill(large))
  await storage.save('large.jpg', bytes, 'image/jpeg')
  const found = await storage.open('large.jpg')
  expect(Buffer.from((await found?.arrayBuffer()) as ArrayBuffer).equals(bytes)).toBe(true)
})

test('a bucket that refuses, fails or does not exist is a 503, never a missing image', async () => {
  const { url, trouble, refuse } = openBucket()
  const busy = { code: 'BUSY' }
  const wrongKey = openStorage(url('prizes', 'another secret'))
  await expect(wrongKey.save('a.png', picture, 'image/png')).rejects.toMatchObject(busy)
  await expect(wrongKey.open('a.png')).rejects.toMatchObject(busy)
  await expect(openStorage(url('others')).open('a.png')).rejects.toMatchObject(busy)
  const storage = openStorage(url())
  for (const fail of [
    () => refuse(503, 'SlowDown'),
    () => refuse(500, 'InternalError'),
    () => new Response('<html>not S3', { status: 502 }),
  ]) {
    trouble.fail = fail
    await expect(storage.save('a.png', picture, 'image/png')).rejects.toMatchObject(busy)
    await expect(storage.open('a.png')).rejects.toMatchObject(busy)
  }
  trouble.fail = () => new Promise(() => undefined)
  const impatient = openStorage(url(), 100)
  await expect(impatient.save('a.png', picture, 'image/png')).rejects.toMatchObject(busy)
  await expect(impatient.open('a.png')).rejects.toMatchObject(busy)
  const nowhere = openStorage('s3://id:secret@localhost:1/prizes?insecure=true')
  await expect(nowhere.open('a.png')).rejects.toMatchObject(busy)
})

test('a directory holds only complete files', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'blockdraw-storage-'))
  undo.push(() => rmSync(dir, { recursive: true }))
  const storage = openStorage(pathToFileURL(join(dir, 'made', 'when needed')).href)
  expect(await storage.open('a.png')).toBeUndefined()
  await Promise.all([1, 2, 3].map(() => storage.save('a.png', picture, 'image/png')))
  expect(readdirSync(join(dir, 'made', 'when needed'))).toEqual(['a.png'])
  expect(await (await storage.open('a.png'))?.text()).toBe('picture')
})
