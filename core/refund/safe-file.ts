import { type Address, getAddress, type Hex, keccak256, toBytes } from 'viem'
import { checkTransfer, register, word } from '../chain/register.ts'
import { unitsText } from '../money.ts'

/** A Safe signs a file for so long at most: its owners are in different places. */
export const safeFileSeconds = 604_800

/** `due`: what is left of the debtor's total; `validUntil` in seconds. */
export type SafePayment = {
  chainId: number
  /** In milliseconds. */
  createdAt: number
  wallet: Address
  book: Hex
  token: Address
  debtors: readonly (Debt & { due: bigint })[]
  validUntil: number
}

/**
 * Numbered files, each of which allows the register what it pays and makes the call. In any order; a second time, or after
 * `validUntil`, they pay nothing.
 */
export function safeFiles({ debtors, ...payment }: SafePayment): SafeFile[] {
  const count = Math.ceil(debtors.length / payersPerCall)
  return Array.from({ length: count }, (_, index) => {
    const part = debtors.slice(index * payersPerCall, (index + 1) * payersPerCall)
    return fileOf({ ...payment, debtors: part }, `${index + 1}/${count}`)
  })
}

export type SafeFile = ReturnType<typeof fileOf>

/** A batch as Safe's transaction builder reads it, version 1.0. */
function fileOf({ chainId, wallet, createdAt, book, token, debtors, validUntil }: SafePayment, part: string) {
  const sum = debtors.reduce((total, { due }) => total + due, 0n)
  const file = {
    version: '1.0',
    chainId: `${chainId}`,
    createdAt,
    meta: {
      name: `Blockdraw refunds ${part}`,
      description: `${debtors.length} payers, ${unitsText(sum)} USDT in all. Reverts after ${new Date(validUntil * 1000).toISOString()}.`,
      txBuilderVersion: '1.18.2',
      createdFromSafeAddress: getAddress(wallet),
      createdFromOwnerAddress: '',
    },
    transactions: [
      callOf(token, encodeApprove(register.address, sum)),
      callOf(register.address, encodePayUpTo(book, token, debtors, validUntil)),
    ],
  }
  return { ...file, meta: { ...file.meta, checksum: checksumOf(file) } }
}

const callOf = (to: Address, data: Hex) => ({
  ...{ to: getAddress(to), value: '0', data },
  ...{ contractMethod: null, contractInputsValues: null },
})

/** What Safe compares to warn of a changed file: all but its name and the checksum itself. @internal */
export function checksumOf<File extends { meta: object }>(file: File): Hex {
  const meta: Record<string, unknown> = { ...file.meta, name: null }
  delete meta.checksum
  return keccak256(toBytes(serialized({ ...file, meta })))
}

/** As Safe writes it for the checksum: each object by its sorted keys, then their values, each with a comma. */
function serialized(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(serialized).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const keys = Object.keys(value).sort()
  const values = keys.map((key) => `${serialized((value as Record<string, unknown>)[key])},`)
  return `{${JSON.stringify(keys)}${values.join('')}}`
}

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
