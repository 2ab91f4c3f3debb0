import { expect, test } from 'vitest'
import { madeUpRow } from '../../../../e2e/lab/made-up-row.ts'
import type { DeskRow } from './types.ts'
import { boundOf, needsWord, waitingOf } from './waiting.ts'

const now = Date.parse('2026-01-02T12:00:00Z')
const minute = 60_000
const hour = 60 * minute
const at = (agoMs: number) => new Date(now - agoMs).toISOString()
type More = {
  agoMs?: number
  relayed?: boolean
  isLost?: boolean
  isReport?: boolean
  nonceBound?: number | null
}

/** A row that a wallet was given `agoMs` ago. */
function row(
  id: number,
  { agoMs = 2 * minute, relayed = true, isLost, isReport, nonceBound = 7 }: More = {},
): DeskRow {
  return {
    ...madeUpRow(isReport ? 'sent' : 'offered'),
    ...{ id, offeredAt: at(agoMs), nonceBound: isReport ? null : nonceBound },
    offeredWallet: isReport ? null : '0x00',
    flight: {
      ...{ relayed, bundle: null },
      ...{ lostFrom: at(agoMs - 24 * hour), lostAt: isLost ? at(0) : null },
    },
  }
}

test('while a page may wait for its wallet nothing else is asked', () => {
  expect(waitingOf([row(1, { agoMs: minute / 2 })], now)).toMatchObject({ isAttended: true, toCallLost: [] })
})

test('a request that nonces do not end says when an administrator may call it lost, and of which ones now', () => {
  const rows = [
    row(1, { agoMs: 25 * hour }),
    row(2, { agoMs: hour, nonceBound: 9 }),
    row(3, { agoMs: 2 * hour }),
  ]
  expect(waitingOf(rows, now)).toEqual({
    ...{ isAttended: false, since: now - 25 * hour, bound: 9 },
    ...{ lostFrom: now + 22 * hour, toCallLost: [1], calledLost: 0 },
  })
})

test('a wallet that keeps its nonces needs no word, and a word is asked for once', () => {
  const kept = row(1, { relayed: false, agoMs: 25 * hour })
  const said = row(2, { isLost: true, agoMs: 25 * hour })
  expect(waitingOf([kept, said], now)).toMatchObject({ lostFrom: undefined, toCallLost: [], calledLost: 1 })
})

test('a report without an offer needs a word, a call through the register does not', () => {
  expect(needsWord(row(1, { isReport: true, relayed: false }))).toBe(true)
  expect(needsWord(row(1, { relayed: false, nonceBound: null }))).toBe(false)
  expect(waitingOf([row(1, { relayed: false, nonceBound: null })], now).bound).toBeUndefined()
})

test('a wallet spends the nonces of its own requests alone', () => {
  const [one, two] = [`0x${'aa'.repeat(20)}`, `0x${'bb'.repeat(20)}`] as const
  const rows = [
    { ...row(1, { nonceBound: 3 }), offeredWallet: one },
    { ...row(2, { nonceBound: 4 }), offeredWallet: one },
    { ...row(3, { nonceBound: 500 }), offeredWallet: two },
  ]
  expect(boundOf(rows, `0x${'AA'.repeat(20)}`)).toBe(4)
  expect(boundOf(rows, two)).toBe(500)
  expect(boundOf(rows, `0x${'cc'.repeat(20)}`)).toBeUndefined()
})
