import type { PaymentRefund } from '../../../core/live/public.ts'
import { usdt } from '../../../core/money.ts'
import type { RefundState } from '../../../core/refund/rules.ts'
import { HashLink } from '../shell/HashLink.tsx'
import { t } from '../texts/index.ts'
import styles from './RefundLine.module.css'

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

/** Badge and sentence for a buyer. The amount beside them is the whole refund to the address. */
function refundStanding(state: RefundState): readonly [tone: string, word: string, text: string] {
  // A state of a later release, too, is not the end of the matter.
  const shown = state in tones ? (state as keyof typeof tones) : 'planned'
  const { title, text } = t.refunds[shown]
  return [tones[shown], title, text]
}

const tones = { planned: '', offered: 'wait', sent: 'wait', settled: 'ok' } as const
