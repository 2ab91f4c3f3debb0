import { usdt } from '../../../core/money.ts'
import type { PaymentRefund } from '../../../core/public.ts'
import { HashLink } from '../shell/HashLink.tsx'
import styles from './RefundLine.module.css'
import { refundStanding } from './refund-line.ts'

/** Refund of a payment: state, amount, and transaction if there is one; renders nothing without a refund. */
export function RefundLine({ refund }: { refund: PaymentRefund }) {
  if (!refund) return null
  const [tone, word, text] = refundStanding(refund.state)
  return (
    <div className={styles.refund}>
      <p>
        <span className={`badge ${tone}`}>{word}</span> <b className="figure">{usdt(refund.amount)} USDT</b>
      </p>
      <p className="hint">{text}</p>
      {refund.transactionHash && <HashLink hash={refund.transactionHash} />}
    </div>
  )
}
