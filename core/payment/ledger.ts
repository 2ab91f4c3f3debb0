import type { Address, Hash } from 'viem'

/** A credited payment as a line of the canonical ledger; `value` in units of 10^-18 USDT. */
export type LedgerLine = {
  ticketNumber: number
  ticketCount: number
  transactionHash: Hash
  payer: Address
  value: bigint
  blockNumber: bigint
  transactionIndex: number
}

/** The columns of the file, in order; the SQL and the completeness check use this list too. */
export const ledgerColumns = [
  'ticketNumber',
  'ticketCount',
  'transactionHash',
  'payer',
  'value',
  'blockNumber',
  'transactionIndex',
] as const satisfies readonly (keyof LedgerLine)[]

export type LedgerColumn = (typeof ledgerColumns)[number]

export const ledgerHeader = `${ledgerColumns.join(',')}\n`

/** One line of the file, its newline included. Anyone who has the chain can write it, byte for byte. */
export const ledgerText = (line: LedgerLine): string =>
  `${ledgerColumns.map((column) => line[column]).join(',')}\n`

const pattern =
  /^([1-9]\d{0,14}),([1-9]\d{0,14}),(0x[0-9a-f]{64}),(0x[0-9a-f]{40}),([1-9]\d{0,77}),(0|[1-9]\d{0,18}),(0|[1-9]\d{0,8})$/

/** Parses a line given without its newline; undefined if it is not in canonical form. */
export function parseLedgerLine(text: string): LedgerLine | undefined {
  const match = pattern.exec(text)
  if (!match) return undefined
  const [, ticketNumber, ticketCount, transactionHash, payer, value, blockNumber, transactionIndex] = match
  return {
    ticketNumber: Number(ticketNumber),
    ticketCount: Number(ticketCount),
    transactionHash: transactionHash as Hash,
    payer: payer as Address,
    value: BigInt(value as string),
    blockNumber: BigInt(blockNumber as string),
    transactionIndex: Number(transactionIndex),
  }
}
