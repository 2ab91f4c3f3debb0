import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { checksums } from '../../site/build/integrity.ts'
import { siteFiles } from '../local/site-files.ts'
import { release } from './release.ts'
import { isWhole } from './write.ts'

let dir: string
let out: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'blockdraw-publish-'))
  out = join(dir, 'published')
})
afterEach(() => rmSync(dir, { recursive: true }))

/** A built site with a page, a part of its own, and what the publisher alone reads. */
function build(name: string): string {
  const site = join(dir, name)
  const files = {
    'index.html': `page of ${name}`,
    [`_astro/${name}.js`]: name,
    '_publish/event-en.html': 'template',
    '404.html': 'not found',
  }
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(join(site, file, '..'), { recursive: true })
    writeFileSync(join(site, file), content)
  }
  writeFileSync(
    join(site, 'sha256sums.txt'),
    checksums(Object.keys(files), (file) => readFileSync(join(site, file))),
  )
  return site
}
const publish = (site: string, home = 'filled', more: { keptMs?: number } = {}) =>
  release({
    ...more,
    site,
    out,
    files: new Map([
      ['index.html', home],
      ['e/1/index.html', `event ${home}`],
    ]),
    level: 'quick',
  })
const served = (path: string) => readFileSync(join(out, path), 'utf8')

test('a publication is the built site with filled pages, whole, and without what they are made of', async () => {
  await publish(build('one'))
  expect([served('current/index.html'), served('current/_astro/one.js')]).toEqual(['filled', 'one'])
  expect(existsSync(join(out, 'current/_publish'))).toBe(false)
  expect(isWhole(join(out, 'current'))).toBe(true)
})

test('a full disk leaves what is served, and no half publication', async () => {
  const site = build('one')
  await publish(site)
  const big = join(dir, 'big.ts')
  writeFileSync(
    big,
    `import { release } from ${JSON.stringify(join(import.meta.dirname, 'release.ts'))}
     await release({ site: ${JSON.stringify(site)}, out: ${JSON.stringify(out)}, level: 'quick',
       files: new Map([['index.html', 'x'.repeat(4_000_000)]]) })`,
  )
  // No file may grow beyond 512 KiB: the write fails as it does on a full disk.
  const { exitCode, stderr } = Bun.spawnSync(
    ['bash', '-c', 'ulimit -f 512; trap "" XFSZ; exec "$0" "$1"', process.execPath, big],
    { stderr: 'pipe' },
  )
  expect([exitCode, `${stderr}`]).toEqual([1, expect.stringMatching(/EFBIG|ENOSPC|too large/i)])
  expect(served('current/index.html')).toBe('filled')
  expect(readdirSync(out).filter((name) => /half|new/.test(name))).toEqual([])
})

test('killed at any moment, a reader finds the old page or the new one, and the next start publishes', async () => {
  const site = build('one')
  await publish(site, 'start')
  const script = join(dir, 'endless.ts')
  writeFileSync(
    script,
    `import { release } from ${JSON.stringify(join(import.meta.dirname, 'release.ts'))}
     for (let turn = 0; ; turn++)
       await release({ site: ${JSON.stringify(site)}, out: ${JSON.stringify(out)}, level: 'quick',
         files: new Map([['index.html', ('turn ' + turn + ' ').repeat(20_000) + 'end']]) })`,
  )
  for (let kill = 0; kill < 8; kill++) {
    const before = realpathSync(join(out, 'current'))
    const child = Bun.spawn([process.execPath, script])
    while (realpathSync(join(out, 'current')) === before) await Bun.sleep(1)
    await Bun.sleep(kill * 3)
    child.kill('SIGKILL')
    await child.exited
    expect(isWhole(join(out, 'current'))).toBe(true)
    expect(served('current/index.html')).toMatch(/end$/)
    expect(existsSync(join(out, 'before'))).toBe(true)
  }
  await publish(site, 'after')
  expect(readdirSync(out).filter((name) => name.includes('half'))).toEqual([])
})

test('who reads while pages change gets a whole page each time', async () => {
  const site = build('one')
  await publish(site, 'turn 0 '.repeat(5_000))
  const files = siteFiles(join(out, 'current'), join(out, 'before'))
  let isOver = false
  const read = async () => {
    let count = 0
    while (!isOver) {
      const response = await files(new Request('http://a/', { headers: { 'accept-encoding': 'gzip' } }))
      const bytes = await response.bytes()
      const text = response.headers.has('content-encoding') ? Bun.gunzipSync(bytes) : bytes
      const words = new Set(
        new TextDecoder()
          .decode(text)
          .trim()
          .split(/(?<=\d) /),
      )
      expect([response.status, words.size]).toEqual([200, 1])
      count++
    }
    return count
  }
  const readers = Promise.all([read(), read()])
  for (let turn = 1; turn <= 30; turn++) await publish(site, `turn ${turn} `.repeat(5_000))
  isOver = true
  expect((await readers).every((count) => count > 0)).toBe(true)
})
