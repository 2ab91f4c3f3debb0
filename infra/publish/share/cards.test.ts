import { expect, test } from 'vitest'
import { png } from '../../../e2e/lab/admin-verbs.ts'
import { aPicture } from '../../../e2e/lab/content.ts'
import { printCards } from '../../../e2e/lab/share-card.ts'

test('a picture that cannot be read leaves our drawing in its place', async () => {
  const broken = await printCards(png.subarray(0, 20))
  expect(broken).toMatchObject({ isComplete: true, files: { length: 2 } })
  expect(broken.lines[0]).toContain(aPicture.key)
})
