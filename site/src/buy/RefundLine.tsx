import type { PaymentRefund } from '../../../core/public.ts'
import { HashLink } from '../shell/HashLink.tsx'
import { usdt } from '../shell/usdt.ts'
import styles from './RefundLine.module.css'
import { refundStanding } from './refund-line.ts'

/** How a payment goes back: state, amount, and the transaction once there is one; nothing if it does not. */
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
