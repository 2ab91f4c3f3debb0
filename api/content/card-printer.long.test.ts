import { expect, test } from 'vitest'
import { png } from '../../e2e/lab/admin-verbs.ts'
import { aPicture } from '../../e2e/lab/content.ts'
import { printCard } from '../../e2e/lab/share-card.ts'

test('a picture that cannot be read leaves our drawing in its place', async () => {
  const { isPng, complaint } = await printCard(png.subarray(0, 20))
  expect([isPng, complaint]).toEqual([true, expect.stringContaining(aPicture.key)])
})

test('the largest photo that may be uploaded is printed within the memory of its container', async () => {
  const { mostKb, ...printed } = await printCard(await photo(6_300, 6_300))
  expect(printed).toEqual({ isPng: true, complaint: '' })
  expect(mostKb).toBeGreaterThan(50_000)
  expect(mostKb).toBeLessThan(400_000)
})

/** A picture of so many pixels, as an upload may be. */
function photo(width: number, height: number): Promise<Uint8Array> {
  const bitmap = Buffer.alloc(54 + Math.ceil((width * 3) / 4) * 4 * height, 0x7f)
  bitmap.fill(0, 0, 54)
  bitmap.write('BM')
  bitmap.writeUInt32LE(bitmap.length, 2)
  for (const [at, value] of [
    [10, 54],
    [14, 40],
    [18, width],
    [22, height],
  ] as const)
    bitmap.writeUInt32LE(value, at)
  bitmap.writeUInt16LE(1, 26)
  bitmap.writeUInt16LE(24, 28)
  return new Bun.Image(bitmap, { maxPixels: 40_000_000 }).jpeg({ quality: 80 }).bytes()
}
