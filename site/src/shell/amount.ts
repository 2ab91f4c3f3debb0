import { formatCents } from '../../../core/money.ts'

/** Thousands separated in a decimal: "3703500.50" -> "3,703,500.50". */
export function grouped(decimal: string): string {
  const [whole = '', rest] = decimal.split('.')
  const thousands = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return rest ? `${thousands}.${rest}` : thousands
}

/** Hundredths of a USDT as a person reads them: 370350000 -> "3,703,500", 9950 -> "99.50". */
export const usdt = (cents: bigint | number): string => grouped(formatCents(BigInt(cents)))

/** An amount of 10^-18, such as wei, cut after `digits` and never rounded up: nobody can spend what is not there. */
export function unitsText(units: bigint, digits = 18): string {
  const scale = 10n ** 18n
  const rest = (units % scale).toString().padStart(18, '0').slice(0, digits).replace(/0+$/, '')
  return grouped(`${units / scale}.${rest}`)
}
