import { join } from 'node:path'
import { expect, test } from 'vitest'

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
