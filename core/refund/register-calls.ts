import type { Address, Hex } from 'viem'
import { checkTransfer, word } from '../chain/calldata.ts'

/** Calldata of the token's `approve(address,uint256)`. */
export function encodeApprove(spender: Address, units: bigint): Hex {
  checkTransfer(spender, units)
  return `0x095ea7b3${word(spender)}${word(units)}`
}

/** With so many a call stays below 12,000,000 gas, also where no payee ever held the token. */
export const payeesPerCall = 180

export type RegisterDebt = { debtor: Address; payee: Address; total: bigint }

/** Calldata of the register's `payUpTo(address,address[],address[],uint256[],uint256)`; debtors in ascending order. */
export function encodePayUpTo(token: Address, debts: readonly RegisterDebt[], validUntil: number): Hex {
  for (const { debtor, payee, total } of debts) {
    checkTransfer(debtor, total)
    checkTransfer(payee, total)
  }
  const listBytes = 32n * BigInt(1 + debts.length)
  const places = [0n, 1n, 2n].map((lists) => word(32n * 5n + lists * listBytes)).join('')
  return `0x9500f9ae${word(token)}${places}${word(BigInt(validUntil))}${[
    list(debts.map(({ debtor }) => word(debtor))),
    list(debts.map(({ payee }) => word(payee))),
    list(debts.map(({ total }) => word(total))),
  ].join('')}`
}

/** Calldata of the register's `waive(address,address[],uint256[])`, in any order. */
export function encodeWaive(token: Address, debts: readonly Omit<RegisterDebt, 'payee'>[]): Hex {
  for (const { debtor, total } of debts) checkTransfer(debtor, total)
  const places = [96n, 128n + 32n * BigInt(debts.length)].map(word).join('')
  return `0xc757e687${word(token)}${places}${list(debts.map(({ debtor }) => word(debtor)))}${list(debts.map(({ total }) => word(total)))}`
}

const list = (words: readonly string[]): string => word(BigInt(words.length)) + words.join('')
