import { usdt } from '../../../core/money.ts'
import { useLive } from '../shell/island.tsx'
import { Row, Stack } from '../shell/Layout.tsx'
import { HashLink, Step } from '../shell/Parts.tsx'
import { fill, t } from '../texts/index.ts'
import styles from './buy.module.css'
import { OwnTicket } from './OwnTicket.tsx'
import { dropPurchase, type Purchase, stopWaiting } from './purchase.ts'
import { badgeOf, lastSteps } from './standing.ts'

type Approving = { quantity: number; amount: number; wallet: string }
type Props = { approving: Approving; purchase?: never } | { purchase: Purchase; approving?: never }

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
  const waitsForNode = useLive().config?.waitsForNode ?? false
  const [final, issued] = lastSteps(purchase, waitsForNode)
  const isSent = Boolean(purchase?.hash)
  const [title, text] = approving
    ? [fill(t.purchase.approveIn, { wallet: approving.wallet }), t.purchase.approveText]
    : isSent
      ? [t.purchase.approved, t.purchase.approvedText]
      : [t.purchase.unclear, t.purchase.unclearText]
  return (
    <ol className="steps" aria-live="polite">
      <Step number={1} state={isSent ? 'done' : 'now'} title={title}>
        {fill(text, { amount })}
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
      <Step number={3} {...final}>
        {final.text}
      </Step>
      <Step number={4} {...issued}>
        {issued.text}
      </Step>
    </ol>
  )
}

function footText(purchase: Purchase | undefined): string {
  if (purchase?.isTroubled) return t.purchase.troubled
  if (!purchase) return t.purchase.nothingPaid
  return purchase.hash ? t.purchase.canClose : t.purchase.unclearFoot
}
