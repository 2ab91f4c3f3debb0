import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { lettersIn } from './fonts.ts'

const dir = mkdtempSync(join(tmpdir(), 'blockdraw-letters-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

test('each letter is in one face: those of the public page’s texts, and other Korean ones', () => {
  for (const name of ['texts', 'admin', 'messages/ko']) mkdirSync(join(dir, name), { recursive: true })
  writeFileSync(join(dir, 'texts/ko.ts'), "const a = '추첨 추첨 3–5'\n")
  writeFileSync(join(dir, 'texts/ko.test.ts'), "'시험'")
  writeFileSync(join(dir, 'admin/a.tsx'), "'관리'")
  writeFileSync(join(dir, 'Page.astro'), '<p>café ×</p>')
  writeFileSync(join(dir, 'page.css'), 'p { content: "ø" }')
  writeFileSync(join(dir, 'messages/ko/buy.json'), '{ "추첨": "잔액" }')
  const { latin, korean, rest } = lettersIn(dir)
  expect(korean).toBe('액잔첨추')
  expect([rest.length, rest.includes('가'), rest.includes('힝'), rest.includes('잔')]).toEqual([
    2_346,
    true,
    true,
    false,
  ])
  expect(latin.slice(95)).toBe('é×–'.split('').sort().join(''))
  expect(latin.slice(0, 95)).toMatch(/^ !".*0123456789.*ABC.*xyz\{\|\}~$/)
})
