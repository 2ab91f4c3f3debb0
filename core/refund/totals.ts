import type { Address } from 'viem'
import type { AccountRow, Books } from './books.ts'

/** What a wallet of ours owes a payer in one token, ever, less what reached the payer past the register. */
export type RegisterTotal = { wallet: Address; token: Address; debtor: Address; total: bigint; due: bigint }

/**
 * What `payUpTo` is to be called with: one total for each wallet, token and payer of these rows, which are all that the
 * payer has. Of a held row only what the register has paid already. `due` is the part that no transfer has settled.
 * The totals come from debts and outside transfers alone, so they are right with any memory of the register.
 */
export function registerTotals(
  rows: readonly Pick<AccountRow, 'id' | 'payer' | 'isHeld'>[],
  accounts: Books['accounts'],
): RegisterTotal[] {
  const sums = new Map<string, RegisterTotal>()
  for (const { id, payer: debtor, isHeld } of rows)
    for (const { wallet, token, ...part } of accounts.get(id)?.parts ?? []) {
      const key = `${wallet} ${token} ${debtor}`
      const sum = sums.get(key) ?? { wallet, token, debtor, total: 0n, due: 0n }
      const due = isHeld ? 0n : part.due
      sums.set(key, {
        ...sum,
        total: sum.total + part.owed - part.outside - part.due + due,
        due: sum.due + due,
      })
    }
  return [...sums.values()]
}
