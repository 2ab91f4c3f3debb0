import fc from 'fast-check'
import type { Address, Hash } from 'viem'
import { expect, test } from 'vitest'
import { balance } from './accounts.ts'
import type { AccountRow, Debt, OutTransfer } from './books.ts'
import { registerTotals } from './totals.ts'

const [alice, bob, first, second, token, other] = ['a1', 'b0', '0f', '1f', '70', '71'].map(
  (byte): Address => `0x${byte.repeat(20)}`,
) as [Address, Address, Address, Address, Address, Address]
const hash = (n: number): Hash => `0x${n.toString(16).padStart(64, '0')}`

const debt = (units: number, more: Partial<Debt> = {}): Debt => ({
  paymentId: 0,
  ...{ token, wallet: first, handedOverBy: null, units: BigInt(units), since: 0n, isRefolded: false },
  ...more,
})
const row = (id: number, debts: Debt[], more: Partial<AccountRow> = {}): AccountRow => ({
  ...{ id, payer: alice, recipient: alice, debts, state: 'planned', reason: null, isHeld: false },
  ...{ offeredUnits: null, offeredPath: null, transactionHash: null },
  ...more,
})
const transfer = (n: number, units: number, more: Partial<OutTransfer> = {}): OutTransfer => ({
  ...{ key: `${n}`, token, wallet: first, recipient: alice, units: BigInt(units), debtor: null },
  ...{ block: BigInt(n), transactionHash: hash(n), rowId: null, notRefund: false },
  ...more,
})
const paid = (n: number, units: number, more: Partial<OutTransfer> = {}): OutTransfer =>
  transfer(n, units, { debtor: alice, ...more })

const dues = (rows: AccountRow[], transfers: OutTransfer[]) => {
  const { accounts } = balance(rows, transfers)
  return rows.map(({ id }) => accounts.get(id)?.due)
}
const totals = (rows: AccountRow[], transfers: OutTransfer[]) =>
  registerTotals(rows, balance(rows, transfers).accounts).map(({ wallet, total, due }) => [
    wallet,
    Number(total),
    Number(due),
  ])

test('a transfer settles only what is owed in its own token', () => {
  const rows = [row(1, [debt(5)]), row(2, [debt(7, { token: other })])]
  expect(dues(rows, [transfer(1, 12)])).toEqual([0n, 7n])
  expect(dues(rows, [transfer(1, 7, { token: other })])).toEqual([5n, 0n])
})

test('a payment of the register settles what its wallet owes to its debtor, also where he wants it, and nothing else', () => {
  const rows = [
    row(1, [debt(5)], { recipient: bob }),
    row(2, [debt(7, { wallet: second })]),
    row(3, [debt(9)], { payer: bob, recipient: bob }),
  ]
  expect(dues(rows, [paid(1, 5, { recipient: bob })])).toEqual([0n, 7n, 9n])
  expect(dues(rows, [paid(1, 20, { recipient: bob })])).toEqual([0n, 7n, 9n])
})

// The log says whatever the holder of the wallet's key wants: a thief could call all debtors paid.
test('a payment of the register to an address that its debtor never named settles nothing', () => {
  const rows = [row(1, [debt(5)]), row(2, [debt(9)], { payer: bob, recipient: bob })]
  expect(dues(rows, [paid(1, 5, { recipient: second })])).toEqual([5n, 9n])
  expect(dues(rows, [paid(1, 5, { recipient: bob })])).toEqual([5n, 9n])
  expect(totals(rows, [paid(1, 5, { recipient: second })])).toEqual([
    [first, 5, 5],
    [first, 9, 9],
  ])
})

test('a transfer to an address that a payer names is his refund only behind the block of his word', () => {
  const rows = [row(1, [debt(5)], { recipient: bob, named: new Map([[bob, 3n]]) })]
  expect(dues(rows, [transfer(2, 4, { recipient: bob }), transfer(3, 5, { recipient: bob })])).toEqual([5n])
  expect(dues(rows, [transfer(2, 4, { recipient: bob }), transfer(4, 5, { recipient: bob })])).toEqual([0n])
})

test('a payment of the register to its own wallet has moved nothing, and settles nothing', () => {
  expect(dues([row(1, [debt(5)])], [paid(1, 5, { recipient: first })])).toEqual([5n])
})

test('a plain transfer is no answer to an offer through the register, nor is a payment of the register one to the other', () => {
  const rows = [
    row(1, [debt(5)]),
    row(2, [debt(5)], { state: 'offered', offeredUnits: 5n, offeredPath: 'register' }),
    row(3, [debt(5)], { state: 'offered', offeredUnits: 5n, offeredPath: 'transfers' }),
  ]
  const rowOf = (one: OutTransfer) => balance(rows, [one]).given.get(one.key)?.rowId
  expect(rowOf(transfer(1, 5))).toBe(3)
  expect(rowOf(paid(1, 5))).toBe(2)
})

test('the total of a wallet is all that it owes a payer, whatever it has paid through the register', () => {
  const rows = [row(1, [debt(5)]), row(2, [debt(7)]), row(3, [debt(1, { wallet: second })])]
  expect(totals(rows, [])).toEqual([
    [first, 12, 12],
    [second, 1, 1],
  ])
  expect(totals(rows, [paid(1, 5)])).toEqual([
    [first, 12, 7],
    [second, 1, 1],
  ])
})

test('what reached a payer past the register lowers the total of the wallet that owed it', () => {
  const rows = [row(1, [debt(5)]), row(2, [debt(7, { wallet: second })])]
  expect(totals(rows, [transfer(1, 8)])).toEqual([
    [first, 0, 0],
    [second, 4, 4],
  ])
})

test('a held row is in no total, but for what the register has paid of it', () => {
  const rows = [row(1, [debt(7)], { isHeld: true }), row(2, [debt(5)])]
  expect(totals(rows, [])).toEqual([[first, 5, 5]])
  expect(dues(rows, [paid(1, 5)])).toEqual([7n, 0n])
  expect(totals(rows, [paid(1, 6)])).toEqual([[first, 6, 0]])
})

test('dues by wallet make up what is due', () => {
  const [account] = balance(
    [row(1, [debt(5), debt(7, { wallet: second })])],
    [transfer(1, 6)],
  ).accounts.values()
  expect(account?.dueBy).toEqual(
    new Map([
      [first, 0n],
      [second, 6n],
    ]),
  )
})

test('I15 whoever calls the register with these totals, in any order and with memory lost, each is paid once', () => {
  const part = fc.record({ units: fc.integer({ min: 1, max: 30 }), isSecond: fc.boolean() })
  const step = fc.record({
    do: fc.constantFrom('owe', 'sign', 'call', 'call', 'hand'),
    part,
    pick: fc.nat(20),
  })
  fc.assert(
    fc.property(fc.array(step, { minLength: 4, maxLength: 24 }), (steps) => {
      const rows: AccountRow[] = []
      const out: OutTransfer[] = []
      const memory = new Map<Address, bigint>()
      const signed: { wallet: Address; total: bigint }[] = []
      let clock = 0
      const now = () => registerTotals(rows, balance(rows, out).accounts)
      const call = ({ wallet, total }: { wallet: Address; total: bigint }) => {
        const before = memory.get(wallet) ?? 0n
        if (total <= before) return
        memory.set(wallet, total)
        out.push(paid(++clock, Number(total - before), { wallet }))
      }
      for (const { do: what, part, pick } of steps) {
        const wallet = part.isSecond ? second : first
        if (what === 'owe') {
          const since = BigInt(++clock)
          rows.push(row(rows.length + 1, [debt(part.units, { wallet, since })]))
        }
        const total = now()[pick % Math.max(1, now().length)]
        if (what === 'sign' && total) signed.push(total)
        // Also one that was signed long ago, and one that has been mined before.
        const late = signed[pick % Math.max(1, signed.length)]
        if (what === 'call' && late) call(late)
        // By hand, while no call is under way: never more than is due.
        const due = now().reduce((sum, one) => sum + one.due, 0n)
        const isQuiet = signed.every((one) => one.total <= (memory.get(one.wallet) ?? 0n))
        if (what === 'hand' && due > 0n && isQuiet)
          out.push(transfer(++clock, Math.min(part.units, Number(due)), { wallet }))
      }
      for (const total of now()) call(total)
      const owed = rows.flatMap(({ debts }) => debts).reduce((sum, { units }) => sum + units, 0n)
      expect(out.reduce((sum, { units }) => sum + units, 0n)).toBe(owed)
      expect(dues(rows, out)).toEqual(rows.map(() => 0n))
    }),
  )
})
