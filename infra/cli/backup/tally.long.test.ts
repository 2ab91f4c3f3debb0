import fc from 'fast-check'
import { expect, test } from 'vitest'
import { differences, Tally } from './tally.ts'

const row = fc.string().map((text) => text.replaceAll('\n', ' '))

test('however the bytes are cut and the rows ordered, the same rows add up to the same', () => {
  fc.assert(
    fc.property(fc.array(row), fc.nat(7), fc.integer({ min: 1, max: 9 }), (rows, turn, size) => {
      const [whole, cut] = [new Tally(), new Tally()]
      whole.of('a')
      cut.of('a')
      whole.add('a', Buffer.from(rows.map((text) => `${text}\n`).join('')))
      const turned = [...rows.slice(turn), ...rows.slice(0, turn)]
      const bytes = Buffer.from(turned.map((text) => `${text}\n`).join(''))
      for (let at = 0; at < bytes.length; at += size) cut.add('a', bytes.subarray(at, at + size))
      expect(differences(whole, cut)).toEqual([])
      expect(cut.rows).toBe(rows.length)
    }),
  )
})

test('a row more, a row less, another value and a missing table are named', () => {
  const tally = (tables: Record<string, string>) => {
    const made = new Tally()
    for (const [table, rows] of Object.entries(tables)) {
      made.of(table)
      made.add(table, Buffer.from(rows))
    }
    return made
  }
  const expected = tally({ audit: '1\ta\n2\tb\n', draws: '', events: '1\n' })
  expect(differences(expected, tally({ audit: '1\ta\n', draws: '1\n', events: '2\n' }))).toEqual([
    'audit: 1 rows instead of 2',
    'draws: 1 rows instead of 0',
    'events: other values in its 1 rows',
  ])
  expect(differences(expected, tally({ audit: '1\ta\n2\tb\n', events: '1\n' }))).toEqual([
    'draws: no rows instead of 0',
  ])
})
