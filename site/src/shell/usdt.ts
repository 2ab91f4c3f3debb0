import { formatCents } from '../../../core/money.ts'

/** Hundredths as a person reads them, with thousands separators: 370350000n -> "3,703,500". */
export function usdt(cents: bigint | number): string {
  const [whole = '', rest] = formatCents(BigInt(cents)).split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return rest === undefined ? grouped : `${grouped}.${rest}`
}
