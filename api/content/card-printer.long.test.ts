import { expect, test } from 'vitest'
import { png } from '../../e2e/lab/admin-verbs.ts'
import { bitmap } from '../../e2e/lab/bitmap.ts'
import { aPicture } from '../../e2e/lab/content.ts'
import { printCard } from '../../e2e/lab/share-card.ts'

test('a picture that cannot be read leaves our drawing in its place', async () => {
  const { isPng, complaint } = await printCard(png.subarray(0, 20))
  expect([isPng, complaint]).toEqual([true, expect.stringContaining(aPicture.key)])
})

test('the largest photo that may be uploaded is printed within the memory of its container', async () => {
  const photo = new Bun.Image(bitmap(6_300, 6_300, 0x7f), { maxPixels: 40_000_000 })
  const { mostKb, ...printed } = await printCard(await photo.jpeg({ quality: 80 }).bytes())
  expect(printed).toEqual({ isPng: true, complaint: '' })
  expect(mostKb).toBeGreaterThan(50_000)
  expect(mostKb).toBeLessThan(400_000)
})
