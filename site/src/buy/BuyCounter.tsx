import { lazy, Suspense, useEffect } from 'react'
import type { Address } from 'viem'
import type { WalletReport } from '../../../core/live/public.ts'
import { usdt } from '../../../core/money.ts'
import { hasRules } from '../house/gate.ts'
import { serverNow } from '../live/clock.ts'
import { island, useLive, useShown } from '../shell/island.tsx'
import { Figure, Row as Line, Stack } from '../shell/Layout.tsx'
import { HashLink } from '../shell/Parts.tsx'
import { TermsFold } from '../shell/TermsFold.tsx'
import { count, fill, plural, t } from '../texts/index.ts'
import { BuySlip } from './BuySlip.tsx'
import styles from './buy.module.css'
import { keepDatedTerms } from './kept-terms.ts'
import { $myTickets, eventsOf } from './my-tickets.ts'
import { PurchaseSteps } from './PurchaseSteps.tsx'
import { $approving, $purchases, type Purchase } from './purchase.ts'
import { RefundLine } from './RefundLine.tsx'
import { numbersText, reasonText } from './standing.ts'

const HouseParts = lazy(async () => {
  await (await import('../house/watch.ts')).loadWords()
  return { default: (await import('../house/RulesDialog.tsx')).HouseParts }
})

const hasTickets = ({ status, ticketNumber }: Purchase) => status === 'credited' && ticketNumber !== null

/** What was bought, the slip, and below it the rest; one island, as an empty one is never visible. */
export const BuyCounter = island(function BuyCounter() {
  const { config, rules } = useLive()
  const approving = useShown($approving)
  const purchases = useShown($purchases)
  useEffect(() => {
    if (config) keepDatedTerms(config, serverNow())
  }, [config])
  return (
    <div className={styles.counter}>
      <Stack gap={20}>
        {purchases.filter(hasTickets).map((purchase) => (
          <PurchaseSteps key={purchase.sentAt} purchase={purchase} />
        ))}
      </Stack>
      <BuySlip />
      <Stack gap={20}>
        {approving && <PurchaseSteps approving={approving} />}
        {purchases
          .filter((purchase) => !hasTickets(purchase))
          .map((purchase) => (
            <PurchaseSteps key={purchase.sentAt} purchase={purchase} />
          ))}
      </Stack>
      <MyTickets />
      <TermsFold line={config?.terms} title={t.terms.title} />
      {hasRules(rules) && (
        <Suspense>
          <HouseParts />
        </Suspense>
      )}
    </div>
  )
})

const shown = 5

/** What the connected wallet has bought, won and got back, in every event; nothing without a payment. @internal */
export function MyTickets() {
  const report = useShown($myTickets)
  const known = useLive()
  if (!report || report.payments.length === 0) return null
  const { walletAddress: payer, ticketCount } = report
  const events = eventsOf(report, known)
  const current = events.find(({ eventNumber }) => eventNumber === known.config?.eventNumber)
  return (
    <section className="card stack" aria-label={t.mine.title}>
      <Line spread whole>
        <h2 className="h3-display">{t.mine.title}</h2>
        <Figure>{count(ticketCount)}</Figure>
      </Line>
      {current && <Payments payments={current.payments} payer={payer} />}
      {events
        .filter((event) => event !== current)
        .map(({ eventNumber, payments, won, sums }) => (
          <details key={eventNumber ?? 0} className="fold">
            <summary>
              {eventNumber === null ? t.mine.noEvent : fill(t.history.event, { event: `${eventNumber}` })}
              {[...won, ...sums].map((words) => (
                <span key={words} className="hint">{` · ${words}`}</span>
              ))}
            </summary>
            <Payments payments={payments} payer={payer} />
          </details>
        ))}
    </section>
  )
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
