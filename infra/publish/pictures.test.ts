import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Picture } from '../../core/content/event-content.ts'
import { png } from '../../e2e/lab/admin-verbs.ts'
import { aContent, aPrize } from '../../e2e/lab/content.ts'
import { Pictures } from './pictures.ts'
import { sha256 } from './write.ts'

const picture: Picture = {
  ...{ key: 'a.png', sha256: `0x${sha256(png)}`, width: 1, height: 1 },
  alt: { en: 'One point', ko: '점 하나' },
}
const contents = [aContent({ prizes: [aPrize({ pictures: [picture] })] })]

function open(image: (key: string) => Promise<Uint8Array>) {
  const dir = mkdtempSync(join(tmpdir(), 'blockdraw-pictures-'))
  onTestFinished(() => rmSync(dir, { recursive: true }))
  const lines: string[] = []
  return { dir, lines, pictures: new Pictures({ dir, image, log: (line) => lines.push(line) }) }
}

test('a picture is published under the hash that the content names, and fetched once', async () => {
  let asked = 0
  const { dir, pictures } = open(async () => {
    asked++
    return png
  })
  for (const _ of [1, 2, 3]) await pictures.fetch(contents)
  expect([asked, readdirSync(dir)]).toEqual([1, [`${sha256(png)}.png`]])
  expect(pictures.path(picture)).toBe(`/pictures/${sha256(png)}.png`)
  await pictures.fetch([aContent()])
  expect(readdirSync(dir)).toEqual([])
})

test('other bytes than those that were promised are not published, and asked for again', async () => {
  let bytes = Buffer.from('something else')
  const { lines, pictures } = open(async () => bytes)
  await pictures.fetch(contents)
  expect([pictures.path(picture), pictures.files(contents), lines]).toEqual([
    undefined,
    [],
    ['The picture a.png is left out: Error: it is not the one that was promised'],
  ])
  bytes = png
  await pictures.fetch(contents)
  expect(pictures.files(contents)).toHaveLength(1)
})
