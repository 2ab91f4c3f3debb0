import { useStore } from '@nanostores/react'
import type { Address } from 'viem'
import type { WalletReport } from '../../../core/live/public.ts'
import { usdt } from '../../../core/money.ts'
import { HashLink } from '../shell/HashLink.tsx'
import { reasonText } from '../shell/reason-text.ts'
import { count, plural } from '../texts/fill.ts'
import { t } from '../texts/index.ts'
import { $myTickets } from './my-tickets.ts'
import styles from './purchase.module.css'
import { RefundLine } from './RefundLine.tsx'
import { numbersText } from './standing.ts'

const shown = 5

/** What the connected wallet has bought in this event; nothing without a payment. */
export function MyTickets() {
  const report = useStore($myTickets, { ssr: () => undefined })
  if (!report || report.payments.length === 0) return null
  const { payments, ticketCount, walletAddress } = report
  return (
    <section className={`card ${styles.mine}`} aria-label={t.mine.title}>
      <div className={styles.head}>
        <h2>{t.mine.title}</h2>
        <b className="figure">{count(ticketCount)}</b>
      </div>
      <ul className="rows">
        {payments.slice(0, shown).map((payment) => (
          <Row key={payment.transactionHash} payment={payment} payer={walletAddress} />
        ))}
      </ul>
      {payments.length > shown && <p className="hint">{plural(t.mine.more, payments.length - shown)}</p>}
    </section>
  )
}

function Row({ payment, payer }: { payment: WalletReport['payments'][number]; payer: Address }) {
  const { transactionHash, reason, ticketNumber, ticketCount, amount, refund } = payment
  return (
    <li>
      <b className="figure">
        {ticketNumber === null
          ? reason
            ? reasonText(reason).title
            : t.mine.noTicket
          : numbersText(ticketNumber, ticketCount)}
      </b>
      <span className="figure">{usdt(amount)} USDT</span>
      <HashLink hash={transactionHash} />
      <RefundLine refund={refund} payer={payer} />
    </li>
  )
}
