import fc from 'fast-check'
import type { Address, Hash } from 'viem'
import { expect, test } from 'vitest'
import { balance, standingOf } from './accounts.ts'
import type { AccountRow, Debt, OutTransfer } from './books.ts'

const alice: Address = `0x${'a1'.repeat(20)}`
const bob: Address = `0x${'b0'.repeat(20)}`
const hash = (n: number): Hash => `0x${n.toString(16).padStart(64, '0')}`

const operator: Address = `0x${'0f'.repeat(20)}`
const token: Address = `0x${'70'.repeat(20)}`
/** What a payment in block `since` brought in. */
const debt = (units: number, since = 0, more: Partial<Debt> = {}): Debt => ({
  ...{ paymentId: 0, token, wallet: operator, handedOverBy: null },
  ...{ units: BigInt(units), since: BigInt(since), isRefolded: false },
  ...more,
})
const row = (id: number, units: number, more: Partial<AccountRow> = {}): AccountRow => ({
  id,
  payer: alice,
  recipient: alice,
  debts: [debt(units)],
  state: 'planned',
  reason: null,
  isHeld: false,
  offeredUnits: null,
  offeredPath: null,
  transactionHash: null,
  ...more,
})
const transfer = (n: number, units: number, more: Partial<OutTransfer> = {}): OutTransfer => ({
  key: `${n}`,
  token,
  wallet: operator,
  recipient: alice,
  debtor: null,
  units: BigInt(units),
  block: BigInt(n + 1),
  transactionHash: hash(n),
  rowId: null,
  notRefund: false,
  ...more,
})
/** Allocates, then returns the state of each row. */
function after(rows: AccountRow[], transfers: OutTransfer[]) {
  const { accounts } = balance(rows, transfers)
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

test('R2 an earlier transfer by hand is subtracted from the amount offered', () => {
  expect(after([row(1, 99)], [transfer(1, 40)])).toMatchObject([{ state: 'planned', reason: null, due: 59n }])
  expect(after([row(1, 99)], [transfer(1, 40), transfer(2, 59)])).toMatchObject([{ state: 'settled' }])
})

test('R2 a transfer is allocated to one row only, the one in flight for that amount before the oldest', () => {
  const rows = [row(1, 50), row(2, 50, { state: 'offered', offeredUnits: 50n })]
  expect(after(rows, [transfer(1, 50)])).toMatchObject([{ state: 'planned' }, { state: 'settled' }])
})

test('a transfer of more than is owed waits for an administrator, and no row is offered meanwhile', () => {
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

test('a transfer sent before a payment, or in its block, is no refund of it', () => {
  const late = row(1, 0, { debts: [debt(99, 5)] })
  expect(after([late], [transfer(4, 99)])).toMatchObject([{ state: 'planned', reason: null, due: 99n }])
  expect(after([late], [transfer(5, 99)])).toMatchObject([{ state: 'settled', due: 0n }])
})

test('a surplus over the amount owed at its block lowers no later payment', () => {
  const rows = [row(1, 5), row(2, 0, { debts: [debt(7, 10)] })]
  expect(after(rows, [transfer(1, 8)])).toMatchObject([
    { reason: 'covered', due: 0n },
    { state: 'planned', reason: null, due: 7n },
  ])
})

test('a transfer for several rows settles what its own wallet owes first, the oldest of that first', () => {
  const other = bob
  const rows = [
    row(1, 0, { debts: [debt(5, 0, { wallet: other })] }),
    row(2, 0, { debts: [debt(3, 2)] }),
    row(3, 0, { debts: [debt(3, 1)] }),
  ]
  const dues = (units: number) => after(rows, [transfer(9, units)]).map(({ due }) => due)
  expect(dues(6)).toEqual([5n, 0n, 0n])
  expect(dues(7)).toEqual([4n, 0n, 0n])
})

test('I33 payments and transfers in any order: the total due equals a plain sum by blocks', () => {
  const moment = fc.record({ units: fc.integer({ min: 1, max: 40 }), block: fc.integer({ min: 0, max: 12 }) })
  const story = fc.record({
    rows: fc.array(fc.array(moment, { maxLength: 3 }), { minLength: 1, maxLength: 4 }),
    out: fc.array(moment, { maxLength: 6 }),
  })
  fc.assert(
    fc.property(story, ({ rows, out }) => {
      const moments = [...rows.flat(), ...out.map(({ units, block }) => ({ units: -units, block }))].sort(
        (a, b) => a.block - b.block || a.units - b.units,
      )
      const owed = moments.reduce((open, { units }) => Math.max(0, open + units), 0)
      const result = after(
        rows.map((debts, index) =>
          row(index + 1, 0, { debts: debts.map(({ units, block }) => debt(units, block)) }),
        ),
        out
          .toSorted((a, b) => a.block - b.block)
          .map(({ units, block }, index) => transfer(index, units, { block: BigInt(block) })),
      )
      expect(result.reduce((sum, { due }) => sum + due, 0n)).toBe(BigInt(owed))
      for (const { due, state } of result) if (due > 0n) expect(state).toBe('planned')
    }),
  )
})

test('I15 after any transfers, what is still due to a payer and what went there never exceed what is owed', () => {
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
