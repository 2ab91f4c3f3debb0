import { usdt } from '../../../core/money.ts'
import { useLive } from '../shell/island.tsx'
import { Row, Stack } from '../shell/Layout.tsx'
import { HashLink, Step } from '../shell/Parts.tsx'
import { fill, plural, t } from '../texts/index.ts'
import styles from './buy.module.css'
import { OwnTicket } from './OwnTicket.tsx'
import { dropPurchase, type Purchase, stopWaiting } from './purchase.ts'
import { badgeOf, lastSteps, reasonText } from './standing.ts'

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
  const [final, issued] = purchase ? lastSteps(purchase) : (['ahead', 'ahead'] as const)
  const words = wordsOf(purchase, waitsForNode)
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
      <Step number={3} state={final} title={words.final}>
        {words.finalText}
      </Step>
      <Step number={4} state={issued} title={t.purchase.issued}>
        {words.issued}
      </Step>
    </ol>
  )
}

function footText(purchase: Purchase | undefined): string {
  if (purchase?.isTroubled) return t.purchase.troubled
  if (!purchase) return t.purchase.nothingPaid
  return purchase.hash ? t.purchase.canClose : t.purchase.unclearFoot
}

function wordsOf(purchase: Purchase | undefined, waitsForNode: boolean) {
  const { purchase: words } = t
  const { status, hash, isInBlock, ticketNumber, ticketCount = 0 } = purchase ?? {}
  if (status === 'credited') {
    const issued = ticketNumber === null ? words.numbersFollow : plural(words.yours, ticketCount)
    return { final: words.final, finalText: words.finalText, issued }
  }
  if (status === 'rejected') {
    const { title, text } = reasonText(purchase?.reason)
    return { final: title, finalText: text, issued: words.noTicket }
  }
  const issued = words.issuedText
  if (status === 'not_found') return { final: words.notFound, finalText: words.notFoundText, issued }
  const final = isInBlock && waitsForNode ? words.waitsForNode : words.waiting
  if (hash && waitsForNode) return { final, finalText: words.waitsForNodeText, issued }
  return { final, finalText: isInBlock ? words.inBlock : words.waitingText, issued }
}
