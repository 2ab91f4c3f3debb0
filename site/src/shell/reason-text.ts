import type { PaymentReason } from '../../../core/payment/payment.ts'
import { t } from '../texts/index.ts'

/** Why a payment got no ticket. An open page may be older than the server, and know fewer reasons. */
export const reasonText = (reason: PaymentReason | null | undefined): { title: string; text: string } =>
  (reason && (t.reasons as Partial<typeof t.reasons>)[reason]) || {
    title: t.purchase.rejected,
    text: t.purchase.rejectedText,
  }
