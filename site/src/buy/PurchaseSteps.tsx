import { useStore } from '@nanostores/react'
import checkIcon from 'lucide-static/icons/check.svg?raw'
import crossIcon from 'lucide-static/icons/x.svg?raw'
import type { ReactNode } from 'react'
import { usdt } from '../../../core/money.ts'
import { $config } from '../live/live.ts'
import { Icon } from '../shell/Icon.tsx'
import { Row, Stack } from '../shell/Layout.tsx'
import { HashLink } from '../shell/Parts.tsx'
import { reasonText } from '../shell/reason-text.ts'
import { fill, plural } from '../texts/fill.ts'
import { t } from '../texts/index.ts'
import styles from './buy.module.css'
import { OwnTicket } from './OwnTicket.tsx'
import { dropPurchase, type Purchase, stopWaiting } from './purchase.ts'
import { badgeOf, lastSteps, type StepState } from './standing.ts'

type Approving = { quantity: number; amount: number; wallet: string }
type Props = { approving: Approving; purchase?: never } | { purchase: Purchase; approving?: never }

/** One purchase: approved, sent, final, tickets issued. Once the numbers are there the paper ticket stands before its steps. */
export function PurchaseSteps({ approving, purchase }: Props) {
  const [tone, word] = purchase ? badgeOf(purchase) : ['wait', t.purchase.approveBadge]
  const isOver = purchase?.status === 'credited' || purchase?.status === 'rejected'
  const amount = `${usdt((approving ?? purchase).amount)} USDT`
  if (purchase?.status === 'credited' && purchase.ticketNumber !== null)
    return (
      <section className={`stack ${styles.purchase}`} aria-label={t.purchase.title}>
        <OwnTicket purchase={purchase} first={purchase.ticketNumber} amount={amount} />
        <details className="fold">
          <summary>{t.purchase.steps}</summary>
          <Steps purchase={purchase} amount={amount} />
        </details>
      </section>
    )
  return (
    <section className={`card stack gap-20 ${styles.purchase}`} aria-label={t.purchase.title}>
      <Row spread whole>
        <h2 className="h3-display">{t.purchase.title}</h2>
        <span className={`badge ${tone}`}>
          {!isOver && purchase?.status !== 'not_found' && <span className="busy-ring small" />}
          <span>{word}</span>
        </span>
      </Row>
      {purchase ? (
        <Steps purchase={purchase} amount={amount} />
      ) : (
        <Steps approving={approving} amount={amount} />
      )}
      {!isOver && (
        <Stack className={styles.foot}>
          <p className="hint">{footText(purchase)}</p>
          {purchase && !purchase.hash && (
            <button
              type="button"
              className="button edged small"
              onClick={() => dropPurchase(purchase.sentAt)}
            >
              {t.purchase.notSent}
            </button>
          )}
          {approving && (
            <button type="button" className="button edged small" onClick={stopWaiting}>
              {t.purchase.stop}
            </button>
          )}
        </Stack>
      )}
    </section>
  )
}

function Steps({ approving, purchase, amount }: Props & { amount: string }) {
  const waitsForNode = useStore($config, { ssr: () => undefined })?.waitsForNode ?? false
  const [final, issued] = purchase ? lastSteps(purchase) : (['ahead', 'ahead'] as const)
  const isSent = Boolean(purchase?.hash)
  return (
    <ol className="steps" aria-live="polite">
      <Step number={1} state={isSent ? 'done' : 'now'} title={approvedTitle(approving, purchase)}>
        {fill(approvedText(purchase), { amount })}
      </Step>
      <Step number={2} state={isSent ? 'done' : 'ahead'} title={t.purchase.sent}>
        {purchase?.hash ? (
          <>
            <HashLink hash={purchase.hash} />
            {purchase.isMoved && <span> {t.purchase.moved}</span>}
          </>
        ) : (
          t.purchase.sentText
        )}
      </Step>
      <Step number={3} state={final} title={finalTitle(purchase, waitsForNode)}>
        {finalText(purchase, waitsForNode)}
      </Step>
      <Step number={4} state={issued} title={t.purchase.issued}>
        {issuedText(purchase)}
      </Step>
    </ol>
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

function footText(purchase: Purchase | undefined): string {
  if (purchase?.isTroubled) return t.purchase.troubled
  if (!purchase) return t.purchase.nothingPaid
  return purchase.hash ? t.purchase.canClose : t.purchase.unclearFoot
}

function approvedTitle(approving: Approving | undefined, purchase: Purchase | undefined): string {
  if (approving) return fill(t.purchase.approveIn, { wallet: approving.wallet })
  return purchase?.hash ? t.purchase.approved : t.purchase.unclear
}

function approvedText(purchase: Purchase | undefined): string {
  if (!purchase) return t.purchase.approveText
  return purchase.hash ? t.purchase.approvedText : t.purchase.unclearText
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
  if (purchase?.hash && waitsForNode) return t.purchase.waitsForNodeText
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
