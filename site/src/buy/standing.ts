import type { PaymentReason } from '../../../core/payment/payment.ts'
import { plural, t } from '../texts/index.ts'
import type { Purchase } from './purchase.ts'

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

type Step = { state: 'done' | 'now' | 'ahead' | 'failed'; title: string; text: string }

/** The last two of a purchase's steps: that it is final, and its tickets. */
export function lastSteps(purchase: Purchase | undefined, waitsForNode: boolean): readonly [Step, Step] {
  const { purchase: words } = t
  const { status, hash, isInBlock, reason, ticketNumber = null, ticketCount = 0 } = purchase ?? {}
  const issued: Step = { state: 'ahead', title: words.issued, text: words.issuedText }
  if (status === 'credited') {
    const text = ticketNumber === null ? words.numbersFollow : plural(words.yours, ticketCount)
    const state = ticketNumber === null && ticketCount > 0 ? 'now' : 'done'
    return [
      { state: 'done', title: words.final, text: words.finalText },
      { ...issued, state, text },
    ]
  }
  if (status === 'rejected')
    return [
      { state: 'failed', ...reasonText(reason) },
      { ...issued, text: words.noTicket },
    ]
  if (status === 'not_found')
    return [{ state: 'failed', title: words.notFound, text: words.notFoundText }, issued]
  const title = isInBlock && waitsForNode ? words.waitsForNode : words.waiting
  const text = isInBlock ? words.inBlock : words.waitingText
  return [
    { state: hash ? 'now' : 'ahead', title, text: hash && waitsForNode ? words.waitsForNodeText : text },
    issued,
  ]
}

/** Why a payment got no ticket. An open page may be older than the server, and know fewer reasons. */
export const reasonText = (reason: PaymentReason | null | undefined): { title: string; text: string } =>
  (reason && (t.reasons as Partial<typeof t.reasons>)[reason]) || {
    title: t.purchase.rejected,
    text: t.purchase.rejectedText,
  }
