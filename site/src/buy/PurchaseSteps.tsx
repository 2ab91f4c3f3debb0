import { useStore } from '@nanostores/react'
import checkIcon from 'lucide-static/icons/check.svg?raw'
import crossIcon from 'lucide-static/icons/x.svg?raw'
import type { ReactNode } from 'react'
import { usdt } from '../../../core/money.ts'
import { $config } from '../live/live.ts'
import { HashLink } from '../shell/HashLink.tsx'
import { Icon } from '../shell/Icon.tsx'
import { reasonText } from '../shell/reason-text.ts'
import { fill, plural } from '../texts/fill.ts'
import { t } from '../texts/index.ts'
import { OwnTicket } from './OwnTicket.tsx'
import styles from './purchase.module.css'
import type { Purchase } from './purchase.ts'
import { badgeOf, lastSteps, type StepState } from './standing.ts'

type Approving = { quantity: number; amount: number; wallet: string }
type Props = { approving: Approving; purchase?: never } | { purchase: Purchase; approving?: never }

/** One purchase: approved, sent, final, tickets issued; then a paper ticket. */
export function PurchaseSteps({ approving, purchase }: Props) {
  const [tone, word] = purchase ? badgeOf(purchase) : ['wait', t.purchase.approveBadge]
  const [final, issued] = purchase ? lastSteps(purchase) : (['ahead', 'ahead'] as const)
  const waitsForNode = useStore($config, { ssr: () => undefined })?.waitsForNode ?? false
  const isOver = purchase?.status === 'credited' || purchase?.status === 'rejected'
  const amount = `${usdt((approving ?? purchase).amount)} USDT`
  return (
    <section className={`card ${styles.purchase}`} aria-label={t.purchase.title}>
      <div className={styles.head}>
        <h2>{t.purchase.title}</h2>
        <span className={`badge ${tone}`}>
          {!isOver && purchase?.status !== 'not_found' && <span className="busy-ring small" />}
          {word}
        </span>
      </div>
      <ol className="steps" aria-live="polite">
        <Step
          number={1}
          state={purchase ? 'done' : 'now'}
          title={purchase ? t.purchase.approved : fill(t.purchase.approveIn, { wallet: approving.wallet })}
        >
          {fill(purchase ? t.purchase.approvedText : t.purchase.approveText, { amount })}
        </Step>
        <Step number={2} state={purchase ? 'done' : 'ahead'} title={t.purchase.sent}>
          {purchase ? <HashLink hash={purchase.hash} /> : t.purchase.sentText}
        </Step>
        <Step number={3} state={final} title={finalTitle(purchase, waitsForNode)}>
          {finalText(purchase, waitsForNode)}
        </Step>
        <Step number={4} state={issued} title={t.purchase.issued}>
          {issuedText(purchase)}
        </Step>
      </ol>
      {purchase?.status === 'credited' && purchase.ticketNumber !== null && (
        <OwnTicket first={purchase.ticketNumber} count={purchase.ticketCount} amount={amount} />
      )}
      {!isOver && (
        <p className={`hint ${styles.foot}`}>
          {purchase?.isTroubled
            ? t.purchase.troubled
            : purchase
              ? t.purchase.canClose
              : t.purchase.nothingPaid}
        </p>
      )}
    </section>
  )
}

function Step(props: { number: number; state: StepState; title: string; children: ReactNode }) {
  const { number, state, title, children } = props
  return (
    <li data-state={state} aria-current={state === 'now' ? 'step' : undefined}>
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

function finalTitle(purchase: Purchase | undefined, waitsForNode: boolean): string {
  if (purchase?.status === 'credited') return t.purchase.final
  if (purchase?.status === 'rejected') return reasonText(purchase.reason).title
  if (purchase?.status === 'not_found') return t.purchase.notFound
  return purchase?.isInBlock && waitsForNode ? t.purchase.waitsForNode : t.purchase.waiting
}

function finalText(purchase: Purchase | undefined, waitsForNode: boolean): string {
  if (purchase?.status === 'credited') return t.purchase.finalText
  if (purchase?.status === 'rejected') return reasonText(purchase.reason).text
  if (purchase?.status === 'not_found') return t.purchase.notFoundText
  if (purchase && waitsForNode) return t.purchase.waitsForNodeText
  if (purchase?.isInBlock) return t.purchase.inBlock
  return t.purchase.waitingText
}

function issuedText(purchase: Purchase | undefined): string {
  if (purchase?.status === 'credited')
    return purchase.ticketNumber === null
      ? t.purchase.numbersFollow
      : plural(t.purchase.yours, purchase.ticketCount)
  if (purchase?.status === 'rejected') return t.purchase.noTicket
  return t.purchase.issuedText
}
