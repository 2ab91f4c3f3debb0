import { join } from 'node:path'
import { expect, test } from 'vitest'
import { png } from '../../../e2e/lab/admin-verbs.ts'
import { aPicture } from '../../../e2e/lab/content.ts'
import { printCards } from '../../../e2e/lab/share-card.ts'

test('the largest photo that may be uploaded is printed within the memory of its container', async () => {
  const printing = Bun.spawn(
    [process.execPath, join(import.meta.dirname, '../../../e2e/lab/print-photo.ts')],
    { stdout: 'pipe' },
  )
  const { grownKb, ...printed } = JSON.parse(await new Response(printing.stdout).text())
  expect(printed).toEqual({ isComplete: true, lines: [], files: 2 })
  expect(grownKb).toBeGreaterThan(0)
  expect(grownKb).toBeLessThan(250_000)
})

test('a picture that cannot be read leaves our drawing in its place', async () => {
  const broken = await printCards(png.subarray(0, 20))
  expect(broken).toMatchObject({ isComplete: true, files: { length: 2 } })
  expect(broken.lines[0]).toContain(aPicture.key)
})
