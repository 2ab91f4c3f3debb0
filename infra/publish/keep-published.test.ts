import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../local/ports.ts'
import { keepPublished } from './keep-published.ts'

test('with nobody to ask the built pages are served as they are, and the reason is said', async () => {
  const out = mkdtempSync(join(tmpdir(), 'blockdraw-published-'))
  onTestFinished(() => rmSync(out, { recursive: true }))
  const dir = mkdtempSync(join(tmpdir(), 'blockdraw-built-'))
  onTestFinished(() => rmSync(dir, { recursive: true }))
  const page = '<!doctype html><title>Built</title>'
  writeFileSync(join(dir, 'index.html'), page)
  writeFileSync(
    join(dir, 'sha256sums.txt'),
    `${new Bun.CryptoHasher('sha256').update(page).digest('hex')}  index.html\n`,
  )
  const lines: string[] = []
  const publishing = await keepPublished({
    ...{ dir, out, apiUrl: `http://127.0.0.1:${await freePort()}`, level: 'quick' },
    log: (line) => lines.push(line),
  })
  await publishing.stop()
  expect(readFileSync(join(out, 'current/index.html'), 'utf8')).toBe(page)
  expect(lines).toEqual([
    expect.stringMatching(/^The pages were not published, those that are served stay: /),
    'The pages are served as they were built.',
  ])
})
