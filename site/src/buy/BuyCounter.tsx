import { useStore } from '@nanostores/react'
import { lazy, Suspense, useEffect } from 'react'
import { hasRules } from '../house/gate.ts'
import { serverNow } from '../live/clock.ts'
import { $config, $rules } from '../live/live.ts'
import { TermsFold } from '../shell/TermsFold.tsx'
import { t } from '../texts/index.ts'
import { BuySlip } from './BuySlip.tsx'
import { keepDatedTerms } from './kept-terms.ts'
import { MyTickets } from './MyTickets.tsx'
import { PurchaseSteps } from './PurchaseSteps.tsx'
import styles from './purchase.module.css'
import { $approving, $purchases } from './purchase.ts'

const HouseParts = lazy(async () => {
  await (await import('../house/watch.ts')).loadWords()
  return { default: (await import('../house/HouseParts.tsx')).HouseParts }
})

/** The slip and, below it, what was bought. One island, as an empty one is never visible and never starts. */
export function BuyCounter() {
  const config = useStore($config, { ssr: () => undefined })
  const rules = useStore($rules, { ssr: () => undefined })
  useEffect(() => {
    if (config) keepDatedTerms(config, serverNow())
  }, [config])
  return (
    <>
      <BuySlip />
      <TermsFold line={config?.terms} title={t.terms.title} />
      <PurchaseCards />
      <MyTickets />
      {hasRules(rules) && (
        <Suspense>
          <HouseParts />
        </Suspense>
      )}
    </>
  )
}

/** The purchase that waits for approval in the wallet, then those already sent, newest first. */
function PurchaseCards() {
  const approving = useStore($approving, { ssr: () => undefined })
  const purchases = useStore($purchases, { ssr: () => [] })
  return (
    <div className={styles.purchases}>
      {approving && <PurchaseSteps approving={approving} />}
      {purchases.map((purchase) => (
        <PurchaseSteps key={purchase.hash} purchase={purchase} />
      ))}
    </div>
  )
}
