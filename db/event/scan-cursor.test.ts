import { expect, test } from 'vitest'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { usedDb } from '../../e2e/lab/used-database.ts'
import { advanceCursor, type Cursor, getScanCursor } from './sale.ts'

const own = forEachTest(usedDb)
const at = (height: bigint, digit: string): Cursor => ({
  ...{ height, hash: `0x${digit.repeat(64)}`, blockTime: new Date(Number(height) * 1000) },
})
const place = async () => {
  const { height, hash } = (await getScanCursor(own.db)) ?? {}
  return { height, hash }
}

test('the cursor moves on from the block that was read behind, and from no other: neither of another height nor of another hash', async () => {
  const { db } = own
  expect(await advanceCursor(db, 'payments', at(1n, 'a'), at(2n, 'b'))).toBe(false)
  expect(await advanceCursor(db, 'payments', undefined, at(5n, 'a'))).toBe(true)
  expect(await advanceCursor(db, 'payments', undefined, at(5n, 'b'))).toBe(false)
  // The block was replaced below finality, and another worker has folded the new one.
  expect(await advanceCursor(db, 'payments', at(5n, 'c'), at(6n, 'd'))).toBe(false)
  expect(await advanceCursor(db, 'payments', at(4n, 'a'), at(6n, 'd'))).toBe(false)
  expect(await place()).toMatchObject({ height: 5n, hash: at(5n, 'a').hash })
  expect(await advanceCursor(db, 'payments', at(5n, 'a'), at(6n, 'd'))).toBe(true)
  expect(await place()).toMatchObject({ height: 6n, hash: at(6n, 'd').hash })
})
