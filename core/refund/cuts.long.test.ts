import fc from 'fast-check'
import type { Address } from 'viem'
import { expect, test } from 'vitest'
import { balance } from './accounts.ts'
import type { AccountRow, Debt, OutTransfer } from './books.ts'
import { registerTotals } from './totals.ts'

const payer: Address = `0x${'a1'.repeat(20)}`
const wallets = ['0f', '1f', '2f'].map((byte): Address => `0x${byte.repeat(20)}`)
const tokens = ['70', '71'].map((byte): Address => `0x${byte.repeat(20)}`)
const pick = <T>(all: readonly T[], index: number): T => all[index % all.length] as T

type Owed = { wallet: number; token: number; units: number; block: number; cut: number; other: number }

/** The same debts, cut into rows by one of their numbers; no row holds two tokens. */
function rowsOf(debts: readonly Owed[], by: 'cut' | 'other'): AccountRow[] {
  const groups = Map.groupBy(debts, (one) => `${one.token % 2} ${one[by]}`)
  return [...groups.values()].map((group, index) => ({
    ...{ id: index + 1, payer, recipient: payer, state: 'planned', reason: null, isHeld: false },
    ...{ offeredUnits: null, offeredPath: null, transactionHash: null },
    debts: group.map(
      ({ wallet, token, units, block }): Debt => ({
        paymentId: 0,
        ...{ wallet: pick(wallets, wallet), token: pick(tokens, token), handedOverBy: null },
        ...{ units: BigInt(units), since: BigInt(block), isRefolded: false },
      }),
    ),
  }))
}

const small = fc.nat(5)
const debt = fc.record({
  ...{ wallet: small, token: small, block: fc.nat(12), cut: fc.nat(3), other: fc.nat(3) },
  units: fc.integer({ min: 1, max: 9 }),
})
const sent = fc.record({
  ...{ wallet: small, token: small, block: fc.nat(12), viaRegister: fc.boolean() },
  units: fc.integer({ min: 1, max: 12 }),
})

test('what each wallet owes does not depend on the rows that hold it, nor on what they were allocated before', () => {
  fc.assert(
    fc.property(fc.array(debt, { maxLength: 7 }), fc.array(sent, { maxLength: 6 }), (debts, out) => {
      const transfers = out
        .toSorted((a, b) => a.block - b.block)
        .map(
          ({ wallet, token, block, units, viaRegister }, index): OutTransfer => ({
            ...{ key: `${index}`, wallet: pick(wallets, wallet), token: pick(tokens, token) },
            ...{ recipient: payer, units: BigInt(units), debtor: viaRegister ? payer : null },
            ...{ block: BigInt(block), transactionHash: `0x${index}`, rowId: null, notRefund: false },
          }),
        )
      const kept = rowsOf(debts, 'cut')
      const rebuilt = rowsOf(debts, 'other')
      // Kept through a story: each transfer was allocated when no later one was known.
      const allocated: OutTransfer[] = []
      for (const transfer of transfers) {
        const { given } = balance(kept, [...allocated, transfer])
        allocated.push({ ...transfer, rowId: given.get(transfer.key)?.rowId ?? null })
      }
      const told = (rows: AccountRow[], moved: OutTransfer[]) =>
        registerTotals(rows, balance(rows, moved).accounts)
          .map(({ wallet, token, total, due }) => `${wallet} ${token} ${total} ${due}`)
          .sort()
      expect(told(kept, allocated)).toEqual(told(rebuilt, transfers))
    }),
    { numRuns: 2_000 },
  )
})
