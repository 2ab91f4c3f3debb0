import { formatDate, shorten } from '../../../core/format.ts'

/** One entry of `GET /api/raffle/changes`. */
export type PublicChange = {
  eventNumber: number
  at: string
  field: string
  from: string | null
  to: string | null
}

const names: Record<string, string> = {
  drawDate: 'Draw date',
  saleEndDate: 'End of the sale',
  minTicketsForDraw: 'Minimum number of tickets',
  operatorWallet: 'Operator wallet',
  winner: 'Winner announcement',
  sales: 'Sales',
  ledger: 'Ticket list',
  refundMode: 'Refund mode',
  anchor: 'Fingerprint on the chain',
}

export const nameOf = ({ field }: PublicChange): string => names[field] ?? field

/** "Not Set → September 30, 2025 at 12:00 PM UTC"; without an arrow where nothing was before. */
export function describe({ field, from, to }: PublicChange): string {
  const after = textOf(field, to)
  if (field === 'ledger' && /^0x[0-9a-f]{64}$/.test(to ?? '')) return `Frozen, fingerprint ${after}`
  const isNew = from === null && !field.endsWith('Date')
  return isNew ? after : `${textOf(field, from)} → ${after}`
}

function textOf(field: string, value: string | null): string {
  if (field.endsWith('Date')) return formatDate(value)
  if (value === null) return 'Not Set'
  if (/^0x[0-9a-fA-F]{64}$/.test(value)) return shorten(value, 10, 8)
  if (/^\d+$/.test(value)) return Number(value).toLocaleString('en-US')
  return value
}
