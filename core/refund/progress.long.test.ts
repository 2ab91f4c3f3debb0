import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addProgress, groupOf, groupOfAll, noProgress, progressOf, refundGroups } from './progress.ts'
import { refundHolds } from './rules.ts'

const states = ['planned', 'offered', 'sent', 'settled', 'failed'] as const
const reasons = [...refundHolds, 'covered', 'replaced', 'ahead', 'unchecked', null] as const
const anyRow = fc
  .record({
    state: fc.constantFrom(...states),
    reason: fc.constantFrom(...reasons),
    units: fc.bigInt(0n, 10n ** 24n),
    part: fc.nat(100),
  })
  .map(({ part, ...row }) => ({ ...row, due: (row.units * BigInt(part)) / 100n }))

test('what is paid, in flight, held and left adds up to what is owed, for a row and for many', () => {
  fc.assert(
    fc.property(fc.array(anyRow), (rows) => {
      const all = rows.map(progressOf)
      for (const one of [...all, all.reduce(addProgress, noProgress)]) {
        expect(one.paid + one.inFlight + one.held + one.left).toBe(one.owed)
        for (const part of Object.values(one)) expect(part).toBeGreaterThanOrEqual(0n)
      }
    }),
  )
})

test('a part that was paid already is neither in flight nor left', () => {
  const row = { units: 10n, due: 4n }
  const none = { owed: 10n, paid: 6n, inFlight: 0n, held: 0n, left: 0n }
  expect(progressOf({ ...row, state: 'sent', reason: null })).toEqual({ ...none, inFlight: 4n })
  expect(progressOf({ ...row, state: 'planned', reason: 'exchange' })).toEqual({ ...none, held: 4n })
  expect(progressOf({ ...row, state: 'failed', reason: 'replaced' })).toEqual({ ...none, left: 4n })
  expect(progressOf({ ...row, state: 'settled', reason: null })).toEqual({ ...none, paid: 10n })
})

test('every row is in exactly one group, and a payer where there is most to do', () => {
  expect(groupOf({ state: 'planned', reason: 'covered' })).toBe('left')
  expect(groupOf({ state: 'failed', reason: 'replaced' })).toBe('left')
  expect(groupOf({ state: 'planned', reason: 'dust' })).toBe('held')
  expect(groupOf({ state: 'planned', reason: 'ahead' })).toBe('held')
  expect(groupOf({ state: 'offered', reason: null })).toBe('underWay')
  expect(groupOf({ state: 'settled', reason: 'covered' })).toBe('done')
  expect(groupOfAll(['done', 'left'])).toBe('left')
  expect(groupOfAll(['held', 'left', 'underWay'])).toBe('underWay')
  expect(groupOfAll(['done', 'held'])).toBe('held')
  expect(groupOfAll(['done', 'done'])).toBe('done')
  expect([...refundGroups]).toEqual(['left', 'underWay', 'held', 'done'])
})
