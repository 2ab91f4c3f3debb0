import type { Address } from 'viem'
import type { PaymentRefund } from '../../../core/live/public.ts'
import { shorten, usdt } from '../../../core/money.ts'
import { HashLink } from '../shell/Parts.tsx'
import { fill, t } from '../texts/index.ts'
import styles from './buy.module.css'

export function RefundLine({ refund, payer }: { refund: PaymentRefund; payer: Address }) {
  if (!refund || refund.amount + refund.due === 0) return null
  const { amount, due, transactionHash } = refund
  return (
    <div className={styles.refund}>
      {amount > 0 && (
        <p>
          <b>{fill(t.refunds.paid, { amount: usdt(amount) })}</b>{' '}
          {transactionHash && <HashLink hash={transactionHash} />}
        </p>
      )}
      {due > 0 && (
        <p className="hint">{fill(t.refunds.due, { amount: usdt(due), wallet: shorten(payer, 6, 4) })}</p>
      )}
    </div>
  )
}
