import fc from 'fast-check'
import { expect, test } from 'vitest'
import { outdated } from './keep.ts'
import { backupsAmong, readBackupName, sealedName } from './names.ts'

const hour = (hours: number): string => sealedName(new Date(Date.UTC(2026, 0, 5) + hours * 3_600_000))
const hours = (count: number): string[] => Array.from({ length: count }, (_, at) => hour(at))

test('of a year of hourly backups the newest, one a day and one a week stay', () => {
  const names = hours(24 * 364)
  const gone = new Set(outdated(names, { newest: 3, days: 4, weeks: 3 }))
  const left = names.filter((name) => !gone.has(name))
  const day = 24
  const last = 24 * 364 - 1
  const weekEnd = (weeks: number) => last - ((last - 3 * day) % (7 * day)) - 1 - weeks * 7 * day
  expect(left.sort()).toEqual(
    [...[last, last - 1, last - 2, last - day, last - 2 * day, last - 3 * day], ...[weekEnd(0), weekEnd(1)]]
      .map(hour)
      .sort(),
  )
})

test('a name tells its moment and is read back, with a word more too', () => {
  const at = new Date('2026-02-28T23:59:59.999Z')
  expect(sealedName(at)).toBe('blockdraw-20260228T235959Z.backup.gz.age')
  for (const name of [sealedName(at), sealedName(at, { id: 12, hash: '0a'.repeat(32) })])
    expect(readBackupName(name)).toEqual({ name, madeAt: new Date('2026-02-28T23:59:59Z') })
  for (const name of [
    'blockdraw-20260228T235959Z.backup.gz', // typed by hand, not encrypted
    'blockdraw-2026-02-28T235959.backup.gz.age',
    'blockdraw-20260230T235959Z.backup.gz.age', // no such day
    'blockdraw-20260228T235959Z.backup.gz.age.part',
    '../blockdraw-20260228T235959Z.backup.gz.age',
    'state.json',
  ])
    expect([name, readBackupName(name)]).toEqual([name, undefined])
})

const anyKeep = fc.record({ newest: fc.integer({ min: 1, max: 5 }), days: fc.nat(5), weeks: fc.nat(5) })
const anyNames = fc.array(
  fc.oneof(
    fc
      .date({ min: new Date('1990-01-01'), max: new Date('2090-01-01'), noInvalidDate: true })
      .map((at) => sealedName(at)),
    fc.string(),
  ),
)

test('rotation never takes the newest ones or a file of somebody else, and taking turns changes nothing', () => {
  fc.assert(
    fc.property(anyNames, anyKeep, (names, keep) => {
      const gone = outdated(names, keep)
      const backups = backupsAmong([...new Set(names)])
      for (const name of gone) expect(backups.map((backup) => backup.name)).toContain(name)
      for (const { name } of backups.slice(0, keep.newest)) expect(gone).not.toContain(name)
      const left = names.filter((name) => !gone.includes(name))
      expect(outdated(left, keep)).toEqual([])
      const most = keep.newest + keep.days + keep.weeks
      expect(backupsAmong([...new Set(left)]).length).toBeLessThanOrEqual(most)
    }),
  )
})
