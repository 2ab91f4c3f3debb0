import { usdt as exactUsdt } from '../../../../core/money.ts'

export const count = (value: number): string => value.toLocaleString('en-US')

/** Hundredths of a USDT with thousands separated: 385200 -> "3,852". */
export const usdt = (cents: number): string => exactUsdt(Math.round(cents))

/** As `usdt`, always with two decimals, so that decimal points line up in a column. */
export function usdtColumn(cents: number): string {
  const text = usdt(cents)
  return text.includes('.') ? text : `${text}.00`
}

/** An address or hash in groups of four, for comparing by eye; `0x` stays with the first. */
export function groupsOfFour(text: string): string[] {
  const digits = text.startsWith('0x') ? text.slice(2) : text
  const groups = digits.match(/.{1,4}/g) ?? []
  return text.startsWith('0x') ? [`0x${groups[0] ?? ''}`, ...groups.slice(1)] : groups
}

/** "1.2 MB", "340 KB". */
export function sizeText(bytes: number): string {
  if (bytes >= 1_048_576) return `${(bytes / 1_048_576).toFixed(1)} MB`
  return `${Math.max(1, Math.round(bytes / 1024))} KB`
}
