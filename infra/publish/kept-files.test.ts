import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { keptFiles } from './kept-files.ts'

function publication(files: Record<string, string>): string {
  const dir = mkdtempSync(join(tmpdir(), 'blockdraw-kept-'))
  onTestFinished(() => rmSync(dir, { recursive: true }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(dir, dirname(name)), { recursive: true })
    writeFileSync(join(dir, name), text)
  }
  return dir
}
const picture = `pictures/${'0a'.repeat(32)}.jpg`
const former = () =>
  publication({
    'index.html': 'home',
    'ko/index.html': '홈',
    'e/1/index.html': `<meta content="https://raffle.example/share/${'0b'.repeat(10)}.png"><img src="/${picture}">`,
    'ko/e/1/index.html': 'one',
    [picture]: 'a picture',
    [`share/${'0b'.repeat(10)}.png`]: 'a card',
    'e/2/index.html': 'two',
  })

test('pages of an event that cannot be read are kept with their pictures, and no others', () => {
  const files = keptFiles(former(), { current: 2, missing: [1, 3] })
  expect(files.map(([name]) => name).sort()).toEqual(
    ['e/1/index.html', 'ko/e/1/index.html', picture, `share/${'0b'.repeat(10)}.png`].sort(),
  )
  expect(keptFiles(former(), { current: 2, missing: [] })).toEqual([])
})

test('where it is the running one the home pages stay too; never published, nothing is', () => {
  const names = keptFiles(former(), { current: 2, missing: [2] }).map(([name]) => name)
  expect(names).toEqual(['e/2/index.html', 'index.html', 'ko/index.html'])
  expect(() => keptFiles(undefined, { current: 2, missing: [2] })).toThrow('event 2 runs')
  expect(keptFiles(undefined, { current: 2, missing: [1] })).toEqual([])
})
