import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { startBucket } from '../../e2e/lab/bucket.ts'
import { chance } from '../../e2e/lab/test-time.ts'
import { openStorage } from './storage.ts'

const undo: (() => unknown)[] = []
afterEach(async () => {
  for (const step of undo.splice(0)) await step()
})

const picture = Buffer.from('picture')
/** A bucket of this test with the name `prizes`. */
function openBucket() {
  const bucket = startBucket('prizes')
  undo.push(bucket.stop)
  return bucket
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
  const large = chance('five megabytes').bytes(65_536)
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

test('a directory holds only complete files, and the first one stays', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'blockdraw-storage-'))
  undo.push(() => rmSync(dir, { recursive: true }))
  const storage = openStorage(pathToFileURL(join(dir, 'made', 'when needed')).href)
  expect(await storage.open('a.png')).toBeUndefined()
  const saves = [1, 2, 3].map(() => storage.save('a.png', picture, 'image/png'))
  const ends = await Promise.all(
    saves.map((save) =>
      save.then(
        () => 'saved',
        ({ code }) => code,
      ),
    ),
  )
  expect(ends.sort()).toEqual(['UPLOAD_USED', 'UPLOAD_USED', 'saved'])
  const other = new TextEncoder().encode('other')
  await expect(storage.save('a.png', other, 'image/png')).rejects.toMatchObject({ code: 'UPLOAD_USED' })
  expect(readdirSync(join(dir, 'made', 'when needed'))).toEqual(['a.png'])
  expect(await (await storage.open('a.png'))?.text()).toBe('picture')
})
