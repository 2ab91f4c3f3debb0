import fc from 'fast-check'
import type { Address, Hash } from 'viem'
import { expect, test } from 'vitest'
import { type AccountRow, accountsOf, allocate, type OutTransfer, standingOf } from './accounts.ts'

const alice: Address = `0x${'a1'.repeat(20)}`
const bob: Address = `0x${'b0'.repeat(20)}`
const hash = (n: number): Hash => `0x${n.toString(16).padStart(64, '0')}`

const row = (id: number, units: number, more: Partial<AccountRow> = {}): AccountRow => ({
  id,
  payer: alice,
  recipient: alice,
  units: BigInt(units),
  state: 'planned',
  reason: null,
  offeredUnits: null,
  transactionHash: null,
  ...more,
})
const transfer = (n: number, units: number, more: Partial<OutTransfer> = {}): OutTransfer => ({
  key: `${n}`,
  recipient: alice,
  units: BigInt(units),
  transactionHash: hash(n),
  rowId: null,
  notRefund: false,
  ...more,
})
/** Allocates, then tells where each row stands. */
function after(rows: AccountRow[], transfers: OutTransfer[]) {
  const given = allocate(rows, transfers)
  const known = transfers.map((t) => ({ ...t, rowId: given.get(t.key) ?? t.rowId }))
  const accounts = accountsOf(rows, known)
  return rows.map((r) => {
    const account = accounts.get(r.id)
    if (!account) throw new Error('no account')
    return { ...standingOf(r, account), due: account.due }
  })
}

test('R2 R3 a transfer of the right amount settles the row, whatever its hash', () => {
  const sent = row(1, 99, { state: 'sent', offeredUnits: 99n, transactionHash: hash(8) })
  expect(after([sent], [transfer(9, 99)])).toEqual([
    { state: 'settled', reason: null, transactionHash: hash(9), due: 0n },
  ])
})

test('R2 what was sent by hand before is subtracted from what is offered', () => {
  expect(after([row(1, 99)], [transfer(1, 40)])).toMatchObject([{ state: 'planned', reason: null, due: 59n }])
  expect(after([row(1, 99)], [transfer(1, 40), transfer(2, 59)])).toMatchObject([{ state: 'settled' }])
})

test('R2 a transfer is allocated to one row only, the one in flight for that amount before the oldest', () => {
  const rows = [row(1, 50), row(2, 50, { state: 'offered', offeredUnits: 50n })]
  expect(after(rows, [transfer(1, 50)])).toMatchObject([{ state: 'planned' }, { state: 'settled' }])
})

test('more than is owed is left for a person to judge, and nothing is offered meanwhile', () => {
  expect(after([row(1, 99)], [transfer(1, 500)])).toMatchObject([
    { state: 'planned', reason: 'covered', due: 0n },
  ])
  expect(after([row(1, 99, { reason: 'covered' })], [transfer(1, 500, { notRefund: true })])).toMatchObject([
    { state: 'planned', reason: null, due: 99n },
  ])
})

test('one transfer for two rows of a payer settles both when it is exactly their sum', () => {
  expect(after([row(1, 5), row(2, 7)], [transfer(1, 12)])).toMatchObject([
    { state: 'settled', reason: 'covered' },
    { state: 'settled', reason: 'covered' },
  ])
})

test('a row that goes elsewhere is settled by a transfer there, and one to the payer counts as well', () => {
  const moved = row(1, 99, { recipient: bob })
  expect(after([moved], [transfer(1, 99, { recipient: bob })])).toMatchObject([{ state: 'settled' }])
  expect(after([moved], [transfer(1, 99)])).toMatchObject([{ state: 'settled' }])
})

test('a settled row whose transfer is gone is owed again', () => {
  expect(after([row(1, 99, { state: 'settled', transactionHash: hash(1) })], [])).toMatchObject([
    { state: 'planned', transactionHash: null, due: 99n },
  ])
})

test('I15 whatever was sent: what is still due to a payer and what went there never exceed what is owed', () => {
  const story = fc.record({
    rows: fc.array(fc.record({ units: fc.integer({ min: 1, max: 60 }), offered: fc.boolean() }), {
      minLength: 1,
      maxLength: 4,
    }),
    out: fc.array(fc.integer({ min: 1, max: 90 }), { maxLength: 5 }),
  })
  fc.assert(
    fc.property(story, ({ rows, out }) => {
      const owed = BigInt(rows.reduce((total, { units }) => total + units, 0))
      const paid = BigInt(out.reduce((total, units) => total + units, 0))
      const accountRows = rows.map(({ units, offered }, index) =>
        row(index + 1, units, offered ? { state: 'offered', offeredUnits: BigInt(units) } : {}),
      )
      const result = after(
        accountRows,
        out.map((units, index) => transfer(index, units)),
      )
      for (const { due } of result) expect(due === 0n || due + paid <= owed).toBe(true)
      if (paid === owed) expect(result.every(({ state }) => state === 'settled')).toBe(true)
      if (paid < owed) expect(result.some(({ due }) => due > 0n)).toBe(true)
    }),
  )
})
