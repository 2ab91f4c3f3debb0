import type { Address } from 'viem'
import type { WalletReport } from '../../../core/live/public.ts'
import { usdt } from '../../../core/money.ts'
import { useLive, useShown } from '../shell/hooks.ts'
import { Figure, Row as Line } from '../shell/Layout.tsx'
import { HashLink } from '../shell/Parts.tsx'
import { reasonText } from '../shell/reason-text.ts'
import { count, fill, plural } from '../texts/fill.ts'
import { t } from '../texts/index.ts'
import { $myTickets, eventsOf } from './my-tickets.ts'
import { RefundLine } from './RefundLine.tsx'
import { numbersText } from './standing.ts'

const shown = 5

/** What the connected wallet has bought, won and got back, in every event; nothing without a payment. */
export function MyTickets() {
  const report = useShown($myTickets)
  const known = useLive()
  if (!report || report.payments.length === 0) return null
  const { walletAddress: payer, ticketCount } = report
  const [current, ...past] = eventsOf(report, known)
  return (
    <section className="card stack" aria-label={t.mine.title}>
      <Line spread whole>
        <h2 className="h3-display">{t.mine.title}</h2>
        <Figure>{count(ticketCount)}</Figure>
      </Line>
      {current && current.eventNumber === known.config?.eventNumber ? (
        <>
          <Payments payments={current.payments} payer={payer} />
          <PastEvents events={past} payer={payer} />
        </>
      ) : (
        <PastEvents events={current ? [current, ...past] : []} payer={payer} />
      )}
    </section>
  )
}

type Events = ReturnType<typeof eventsOf>

function PastEvents({ events, payer }: { events: Events; payer: Address }) {
  return events.map(({ eventNumber, payments, won, sums }) => (
    <details key={eventNumber ?? 0} className="fold">
      <summary>
        {eventNumber === null ? t.mine.noEvent : fill(t.history.event, { event: `${eventNumber}` })}
        {[...won, ...sums].map((words) => (
          <span key={words} className="hint">{` · ${words}`}</span>
        ))}
      </summary>
      <Payments payments={payments} payer={payer} />
    </details>
  ))
}

function Payments({ payments, payer }: Pick<WalletReport, 'payments'> & { payer: Address }) {
  return (
    <>
      <ul className="rows">
        {payments.slice(0, shown).map((payment) => (
          <Row key={payment.transactionHash} payment={payment} payer={payer} />
        ))}
      </ul>
      {payments.length > shown && <p className="hint">{plural(t.mine.more, payments.length - shown)}</p>}
    </>
  )
}

function Row({ payment, payer }: { payment: WalletReport['payments'][number]; payer: Address }) {
  const { transactionHash, reason, ticketNumber, ticketCount, amount, refund } = payment
  return (
    <li className="stack gap-4">
      <Line spread gap={4}>
        {ticketNumber === null ? (
          <b>{reason ? reasonText(reason).title : t.mine.noTicket}</b>
        ) : (
          <Figure>{numbersText(ticketNumber, ticketCount)}</Figure>
        )}
        <Figure as="span">{usdt(amount)} USDT</Figure>
      </Line>
      <p>
        <HashLink hash={transactionHash} />
      </p>
      <RefundLine refund={refund} payer={payer} />
    </li>
  )
}
