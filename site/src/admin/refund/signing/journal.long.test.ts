import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { addEntry, browserJournal, dropEntry } from './journal.ts'

const hash = `0x${'ab'.repeat(32)}` as const

beforeEach(() => {
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  })
})
afterEach(() => void vi.unstubAllGlobals())

test('unreported outcomes survive a reload and are dropped after the report', () => {
  addEntry(browserJournal, { ids: [1, 2], hash })
  addEntry(browserJournal, { ids: [3], bundle: 'bundle' })
  addEntry(browserJournal, { rejected: [{ id: 4, revision: 2 }] })
  expect(browserJournal.read()).toEqual([
    { ids: [1, 2], hash },
    { ids: [3], bundle: 'bundle' },
    { rejected: [{ id: 4, revision: 2 }] },
  ])
  dropEntry(browserJournal, { ids: [1, 2], hash })
  dropEntry(browserJournal, { rejected: [{ id: 4, revision: 2 }] })
  expect(browserJournal.read()).toEqual([{ ids: [3], bundle: 'bundle' }])
})

test('invalid entries are left out', () => {
  localStorage.setItem(
    'blockdraw:refunds',
    JSON.stringify([null, { ids: ['1'], hash }, { ids: [1], hash: '0x' }, { rejected: [{ id: 1 }, null] }]),
  )
  expect(browserJournal.read()).toEqual([])
  localStorage.setItem('blockdraw:refunds', '{')
  expect(browserJournal.read()).toEqual([])
})
