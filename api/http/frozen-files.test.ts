import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import pino from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { startBucket } from '../../e2e/lab/bucket.ts'
import { until } from '../../e2e/lab/until.ts'
import { frozenFiles } from './frozen-files.ts'

const log = pino({ level: 'silent' })
const page = `${'0123456789abcdef'.repeat(8)}\n`.repeat(2_000)
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** A list of so many pages of 258 KB, and how often somebody has read it from where it comes. */
function aList(pages: number, hash = sha256(page.repeat(pages))) {
  const read = { times: 0 }
  const eachPage = async (take: (text: string) => Promise<void>) => {
    read.times++
    for (let at = 0; at < pages; at++) await take(page)
  }
  return { read, file: { name: 'list.csv', sha256: `0x${hash}`, eachPage }, key: `${hash}.csv` }
}
const proxy = '10.0.0.1'
function answerFrom(storageUrl: string) {
  const addresses = { trustedProxies: [proxy], siteProxyToken: undefined }
  const answer = frozenFiles({ admin: { storageUrl } as never, addresses, log })
  return (request: Request, file: Parameters<typeof answer>[1], address = proxy) =>
    answer({ request, server: { requestIP: () => ({ address }) } }, file)
}
function inFolder() {
  const dir = mkdtempSync(join(tmpdir(), 'blockdraw-frozen-'))
  onTestFinished(() => rmSync(dir, { recursive: true }))
  return { frozen: join(dir, 'frozen'), answer: answerFrom(pathToFileURL(dir).href) }
}
const asked = (headers = {}) => new Request('http://localhost/', { headers })

test('a list is laid once for all who ask, and again where it is missing', async () => {
  const { frozen, answer } = inFolder()
  const { file, read, key } = aList(3)
  const texts = await Promise.all([1, 2, 3].map(async () => (await answer(asked(), file)).text()))
  expect([new Set(texts.map(sha256)), read.times]).toEqual([new Set([key.slice(0, -4)]), 1])
  const names = [key, `${key}.br`, `${key}.gz`]
  await until(() => names.every((name) => readdirSync(frozen).includes(name)), 'its smaller forms')
  for (const [ending, plain] of [
    ['br', brotliDecompressSync],
    ['gz', gunzipSync],
  ] as const)
    expect(`${plain(readFileSync(join(frozen, `${key}.${ending}`)))}`).toBe(texts[0])
  rmSync(join(frozen, key))
  expect(await (await answer(asked(), file)).text()).toBe(texts[0])
  expect(read.times).toBe(2)
})

test('who has it is told so, and a web server that can send it is told where it lies', async () => {
  const { answer } = inFolder()
  const { file, read, key } = aList(1)
  expect((await answer(asked({ 'if-none-match': `W/"${file.sha256}"` }), file)).status).toBe(304)
  expect(read.times).toBe(0)
  const passed = await answer(asked({ 'x-sendfile-type': 'X-Accel-Redirect' }), file)
  expect([passed.headers.get('x-accel-redirect'), passed.headers.get('etag'), await passed.text()]).toEqual([
    ...[`/frozen/${key}`, `"${file.sha256}"`, ''],
  ])
  const forged = await answer(asked({ 'x-sendfile-type': 'X-Accel-Redirect' }), file, '192.0.2.1')
  expect([forged.headers.get('x-accel-redirect'), await forged.text()]).toEqual([null, page])
})

test('bytes that are not what was frozen are served to nobody', async () => {
  const { frozen, answer } = inFolder()
  await expect(answer(asked(), aList(1, sha256('another')).file)).rejects.toThrow('not what was frozen')
  expect(readdirSync(frozen)).toEqual([])
})

test('a bucket has them at no time', async () => {
  const bucket = await startBucket('pictures')
  onTestFinished(bucket.stop)
  const asked: string[] = []
  bucket.trouble.fail = ({ method }) => void asked.push(method)
  const answer = answerFrom(bucket.url())
  await expect(answer(new Request('http://localhost/'), aList(1, sha256('another')).file)).rejects.toThrow(
    'not what was frozen',
  )
  expect(asked).toEqual(['HEAD'])
})

test('a bucket holds it as a folder does, and the bytes come through the api', async () => {
  const bucket = await startBucket('pictures')
  onTestFinished(bucket.stop)
  const answer = answerFrom(bucket.url())
  const { file, read, key } = aList(2)
  for (let time = 0; time < 2; time++) {
    const response = await answer(asked({ 'x-sendfile-type': 'X-Accel-Redirect' }), file)
    expect(sha256(await response.text())).toBe(key.slice(0, -4))
  }
  expect(read.times).toBe(1)
})

test('three hundred readers who do not read keep nobody from the list', async () => {
  const { answer } = inFolder()
  const { file, key } = aList(80) // 20 MB: more than sockets hold
  const server = Bun.serve({ port: 0, idleTimeout: 60, fetch: (request) => answer(request, file) })
  const slow: Socket[] = []
  onTestFinished(async () => {
    for (const socket of slow) socket.destroy()
    await server.stop(true)
  })
  await (await fetch(server.url)).bytes()
  const before = process.memoryUsage.rss()
  await Promise.all(
    Array.from({ length: 300 }, () => {
      const begun = Promise.withResolvers<void>()
      const socket = connect(server.port as number, '127.0.0.1', () =>
        socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'),
      )
      slow.push(socket)
      socket.once('data', () => {
        socket.pause()
        begun.resolve()
      })
      return begun.promise
    }),
  )
  const readIt = async () => sha256(await (await fetch(server.url)).text()) === key.slice(0, -4)
  expect(await until(readIt, 'the list')).toBeLessThan(10_000)
  expect(process.memoryUsage.rss() - before).toBeLessThan(200 * 1024 * 1024)
}, 30_000)
