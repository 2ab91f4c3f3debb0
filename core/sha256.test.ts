import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSha256 } from './sha256.ts'

test('is SHA-256, however the bytes are cut', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 12 }), (pieces) => {
      const ours = createSha256()
      const theirs = createHash('sha256')
      for (const piece of pieces) {
        ours.update(piece)
        theirs.update(piece)
      }
      expect(ours.digest()).toBe(`0x${theirs.digest('hex')}`)
    }),
    { numRuns: 500 },
  )
})

test('is SHA-256 at every length around its blocks, and over many blocks', () => {
  for (const length of [...Array(260).keys(), 1_000_003]) {
    const bytes = Uint8Array.from({ length }, (_, i) => (i * 7 + length) & 255)
    const ours = createSha256()
    ours.update(bytes)
    expect(ours.digest()).toBe(`0x${createHash('sha256').update(bytes).digest('hex')}`)
  }
})
