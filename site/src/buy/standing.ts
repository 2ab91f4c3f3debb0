import type { PaymentReason } from '../../../core/payment/payment.ts'
import { t } from '../texts/index.ts'
import type { Purchase } from './purchase.ts'

export type StepState = 'done' | 'now' | 'ahead' | 'failed'

type Told = Pick<Purchase, 'status' | 'reason'> & { hash?: Purchase['hash'] }

export function badgeOf({ status, reason, hash }: Told): readonly [tone: string, word: string] {
  if (hash === null) return ['wait', t.badges.unclear]
  switch (status) {
    case 'received':
      return ['', t.badges.received]
    case 'credited':
      return ['ok', t.badges.credited]
    case 'rejected':
      return ['bad', reason === 'held' ? t.badges.held : t.badges.rejected]
    case 'not_found':
      return ['bad', t.badges.not_found]
    default:
      return ['wait', t.badges[status]]
  }
}

/** "#7" or "#1–#33". */
export const numbersText = (first: number, count: number): string =>
  count === 1 ? `#${first}` : `#${first}–#${first + count - 1}`

export function lastSteps({
  status,
  hash,
  ticketNumber,
  ticketCount,
}: Purchase): readonly [StepState, StepState] {
  if (hash === null) return ['ahead', 'ahead']
  if (status === 'rejected' || status === 'not_found') return ['failed', 'ahead']
  if (status === 'credited') return ['done', ticketNumber === null && ticketCount > 0 ? 'now' : 'done']
  return ['now', 'ahead']
}

/** Why a payment got no ticket. An open page may be older than the server, and know fewer reasons. */
export const reasonText = (reason: PaymentReason | null | undefined): { title: string; text: string } =>
  (reason && (t.reasons as Partial<typeof t.reasons>)[reason]) || {
    title: t.purchase.rejected,
    text: t.purchase.rejectedText,
  }
