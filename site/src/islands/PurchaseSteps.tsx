import checkIcon from 'lucide-static/icons/check.svg?raw'
import crossIcon from 'lucide-static/icons/x.svg?raw'
import type { ReactNode } from 'react'
import { formatCents } from '../../../core/money.ts'
import { HashLink } from '../components/HashLink.tsx'
import { Icon } from '../components/Icon.tsx'
import { badgeOf, lastSteps, reasonTexts, type StepState } from '../lib/standing.ts'
import type { Purchase } from '../stores/purchase.ts'
import { OwnTicket } from './OwnTicket.tsx'

type Approving = { quantity: number; amount: number; wallet: string }
type Props = { approving: Approving; purchase?: never } | { purchase: Purchase; approving?: never }

/** One purchase: approved, sent, final, tickets issued; at its end a paper ticket. */
export function PurchaseSteps({ approving, purchase }: Props) {
  const [tone, word] = purchase ? badgeOf(purchase) : ['wait', 'Approve']
  const [final, issued] = purchase ? lastSteps(purchase) : (['ahead', 'ahead'] as const)
  const isOver = purchase?.status === 'credited' || purchase?.status === 'rejected'
  const amount = `${formatCents(BigInt((approving ?? purchase).amount))} USDT`
  return (
    <section className="card purchase" aria-label="Your purchase">
      <div className="purchase-head">
        <h2>Your purchase</h2>
        <span className={`badge ${tone}`}>
          {!isOver && purchase?.status !== 'not_found' && <span className="busy-ring small" />}
          {word}
        </span>
      </div>
      <ol className="steps" aria-live="polite">
        <Step
          number={1}
          state={purchase ? 'done' : 'now'}
          title={purchase ? 'Approved in your wallet' : `Approve in ${approving.wallet}`}
        >
          {purchase ? `You signed the transfer of ${amount}.` : `Your wallet asks you to send ${amount}.`}
        </Step>
        <Step number={2} state={purchase ? 'done' : 'ahead'} title="Sent to BNB Smart Chain">
          {purchase ? <HashLink hash={purchase.hash} /> : 'The transaction hash appears here.'}
        </Step>
        <Step number={3} state={final} title={finalTitle(purchase)}>
          {finalText(purchase)}
        </Step>
        <Step number={4} state={issued} title="Tickets issued">
          {issuedText(purchase)}
        </Step>
      </ol>
      {purchase?.status === 'credited' && purchase.ticketNumber !== null && (
        <OwnTicket first={purchase.ticketNumber} count={purchase.ticketCount} amount={amount} />
      )}
      {!isOver && (
        <p className="hint purchase-foot">
          {purchase?.isTroubled
            ? 'Our server cannot be reached just now. Your payment is safe on the chain; this page keeps trying.'
            : purchase
              ? 'You can close this page. The payment is found on the chain either way.'
              : 'Nothing is paid until you approve.'}
        </p>
      )}
    </section>
  )
}

function Step(props: { number: number; state: StepState; title: string; children: ReactNode }) {
  const { number, state, title, children } = props
  return (
    <li className={state} aria-current={state === 'now' ? 'step' : undefined}>
      <span className="disc" aria-hidden="true">
        {state === 'done' ? <Icon svg={checkIcon} /> : state === 'failed' ? <Icon svg={crossIcon} /> : number}
      </span>
      <div>
        <h3>{title}</h3>
        <p>{children}</p>
      </div>
    </li>
  )
}

function finalTitle(purchase: Purchase | undefined): string {
  if (purchase?.status === 'credited') return 'Final on the chain'
  if (purchase?.status === 'rejected') return purchase.reason ? reasonTexts[purchase.reason][0] : 'Rejected'
  return purchase?.status === 'not_found' ? 'Not found on the chain' : 'Waiting for finality'
}

function finalText(purchase: Purchase | undefined): string {
  if (purchase?.status === 'credited') return 'The block can no longer change.'
  if (purchase?.status === 'rejected')
    return purchase.reason ? reasonTexts[purchase.reason][1] : 'Write to support with the transaction hash.'
  if (purchase?.status === 'not_found')
    return 'No node knows this transaction. If your wallet dropped it, no money has moved; if it is still pending there, it is found later.'
  if (purchase?.isInBlock) return 'Your payment is in a block. Usually final in under ten seconds.'
  return 'Usually under ten seconds.'
}

function issuedText(purchase: Purchase | undefined): string {
  if (purchase?.status === 'credited')
    return purchase.ticketNumber === null
      ? 'Paid and final, your numbers follow.'
      : `${tickets(purchase.ticketCount)} yours.`
  if (purchase?.status === 'rejected') return 'No ticket for this payment.'
  return 'Your numbers appear here and in Recent Purchases.'
}

const tickets = (count: number) => `${count.toLocaleString('en-US')} ${count === 1 ? 'ticket' : 'tickets'}`
