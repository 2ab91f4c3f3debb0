import type { RefundState } from '../../../core/refund.ts'

/** Badge and sentence for a buyer: the amount beside them is all that goes back to the address at once. */
export function refundStanding(state: RefundState): readonly [tone: string, word: string, text: string] {
  switch (state) {
    case 'planned':
    case 'failed':
      return ['', 'Refund planned', 'Goes back to the sending address. It has not been sent yet.']
    case 'offered':
      return ['wait', 'Refund in preparation', 'The operator is sending it now.']
    case 'sent':
      return ['wait', 'Refund sent', 'It is on its way and not final yet.']
    case 'settled':
      return ['ok', 'Refunded', 'Sent back, and final on the chain.']
  }
}
