import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { lettersIn } from './fonts.ts'

const dir = mkdtempSync(join(tmpdir(), 'blockdraw-letters-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

test('letters come from the sources of the public page alone, each once', () => {
  for (const name of ['texts', 'admin']) mkdirSync(join(dir, name))
  writeFileSync(join(dir, 'texts/ko.ts'), "const a = '추첨 추첨 3–5'\n")
  writeFileSync(join(dir, 'texts/ko.test.ts'), "'시험'")
  writeFileSync(join(dir, 'admin/a.tsx'), "'관리'")
  writeFileSync(join(dir, 'Page.astro'), '<p>café ×</p>')
  writeFileSync(join(dir, 'page.css'), 'p { content: "ø" }')
  const { latin, korean } = lettersIn(dir)
  expect(korean).toBe('첨추')
  expect(latin.slice(95)).toBe('é×–'.split('').sort().join(''))
  expect(latin.slice(0, 95)).toMatch(/^ !".*0123456789.*ABC.*xyz\{\|\}~$/)
})
