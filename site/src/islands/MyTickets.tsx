import { useStore } from '@nanostores/react'
import { formatCents } from '../../../core/money.ts'
import type { WalletReport } from '../../../core/public.ts'
import { HashLink } from '../components/HashLink.tsx'
import { RefundLine } from '../components/RefundLine.tsx'
import { reasonTexts } from '../lib/standing.ts'
import { $myTickets } from '../stores/my-tickets.ts'

const shown = 5

/** What the connected wallet has bought in this event; nothing without a payment. */
export function MyTickets() {
  const report = useStore($myTickets, { ssr: () => undefined })
  if (!report || report.payments.length === 0) return null
  const { payments, ticketCount } = report
  return (
    <section className="card my-tickets" aria-label="My tickets">
      <div className="purchase-head">
        <h2>My tickets</h2>
        <b className="figure">{ticketCount.toLocaleString('en-US')}</b>
      </div>
      <ul className="rows">
        {payments.slice(0, shown).map((payment) => (
          <Row key={payment.transactionHash} payment={payment} />
        ))}
      </ul>
      {payments.length > shown && (
        <p className="hint">And {payments.length - shown} earlier payments, all in the public ticket list.</p>
      )}
    </section>
  )
}

function Row({ payment }: { payment: WalletReport['payments'][number] }) {
  const { transactionHash, reason, ticketNumber, ticketCount, amount, refund } = payment
  return (
    <li>
      <b className="figure">
        {ticketNumber === null
          ? (reason && reasonTexts[reason][0]) || 'No ticket'
          : ticketCount === 1
            ? `#${ticketNumber}`
            : `#${ticketNumber}–#${ticketNumber + ticketCount - 1}`}
      </b>
      <span className="figure">{formatCents(BigInt(amount))} USDT</span>
      <HashLink hash={transactionHash} />
      <RefundLine refund={refund} />
    </li>
  )
}
