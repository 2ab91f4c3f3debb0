import {
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

let dir: string
let published: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'blockdraw-publish-'))
  published = join(dir, 'published')
  mkdirSync(published)
})
afterEach(() => rmSync(dir, { recursive: true }))

function publish(release: string): string {
  const pages = join(dir, release)
  mkdirSync(join(pages, '_astro'), { recursive: true })
  writeFileSync(join(pages, 'index.html'), `page of ${release}`)
  writeFileSync(join(pages, `_astro/${release}.js`), release)
  writeFileSync(join(pages, 'sha256sums.txt'), `${release}  index.html\n`)
  const { exitCode, stdout, stderr } = Bun.spawnSync(
    ['sh', join(import.meta.dirname, 'publish.sh'), pages, published],
    { stdout: 'pipe', stderr: 'pipe' },
  )
  expect([exitCode, stderr.toString()]).toEqual([0, ''])
  return stdout.toString()
}
const served = (path: string) => readFileSync(join(published, path), 'utf8')

test('pages are served beside the parts of the release before, and of no earlier one', () => {
  for (const release of ['one', 'two', 'three']) publish(release)
  expect([served('current/index.html'), served('before/_astro/two.js')]).toEqual(['page of three', 'two'])
  expect(readdirSync(published)).toHaveLength(4) // two releases, current and before
})

test('the first release is its own predecessor', () => {
  publish('one')
  expect(served('before/_astro/one.js')).toBe('one')
})

test('the same release twice keeps what was before it', () => {
  for (const release of ['one', 'two']) publish(release)
  expect(publish('two')).toMatch('served already')
  expect(served('before/_astro/one.js')).toBe('one')
})

test('back to the release before and forth again serves each', () => {
  for (const release of ['one', 'two', 'one']) publish(release)
  expect([served('current/index.html'), served('before/index.html')]).toEqual(['page of one', 'page of two'])
  publish('two')
  expect([served('current/index.html'), served('before/index.html')]).toEqual(['page of two', 'page of one'])
})

test('what was cut short while it was laid is laid anew', () => {
  publish('one')
  mkdirSync(join(published, 'being-laid'))
  writeFileSync(join(published, 'being-laid/index.html'), 'half')
  const before = realpathSync(join(published, 'current'))
  publish('two')
  expect(served('current/index.html')).toBe('page of two')
  expect(realpathSync(join(published, 'before'))).toBe(before)
  expect(readdirSync(published)).toHaveLength(4)
})
