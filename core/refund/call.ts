import type { Address, Hex } from 'viem'
import { checkTransfer, word } from '../chain/calldata.ts'

/** With so many a call stays below 12,000,000 gas, also where no payer ever held the token. */
export const payersPerCall = 180

/** `total`: what the debtor shall have received by the book in all. */
export type Debt = { debtor: Address; total: bigint }

/** Calldata of the token's `approve(address,uint256)`. */
export function encodeApprove(spender: Address, units: bigint): Hex {
  checkTransfer(spender, units)
  return `0x095ea7b3${word(spender)}${word(units)}`
}

/** Calldata of the register's `payUpTo(bytes32,address,address[],uint256[],uint256)`; `validUntil` in seconds. */
export function encodePayUpTo(book: Hex, token: Address, debts: readonly Debt[], validUntil: number): Hex {
  for (const { debtor, total } of debts) checkTransfer(debtor, total)
  const debtors = list(debts.map(({ debtor }) => word(debtor)))
  const totals = list(debts.map(({ total }) => word(total)))
  const [debtorsAt, totalsAt] = [32n * 5n, 32n * BigInt(6 + debts.length)]
  const head = [book, token, debtorsAt, totalsAt, BigInt(validUntil)].map(word).join('')
  return `0x85e3ce4c${head}${debtors}${totals}`
}

/** Calldata of the register's `paid(bytes32,address,address)`. */
export function encodePaid(book: Hex, token: Address, debtor: Address): Hex {
  return `0xed3ff48b${[book, token, debtor].map(word).join('')}`
}

const list = (words: readonly string[]): string => word(BigInt(words.length)) + words.join('')
