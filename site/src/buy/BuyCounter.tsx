import { useStore } from '@nanostores/react'
import { lazy, Suspense } from 'react'
import { hasRules } from '../house/gate.ts'
import { $config, $rules } from '../live/live.ts'
import { TermsFold } from '../shell/TermsFold.tsx'
import { t } from '../texts/index.ts'
import { BuySlip } from './BuySlip.tsx'
import { MyTickets } from './MyTickets.tsx'
import { BrokenPromise, ChangedTerms, useTermsChanges } from './PromiseNote.tsx'
import { PurchaseSteps } from './PurchaseSteps.tsx'
import styles from './purchase.module.css'
import { $approving, $purchases } from './purchase.ts'

const HouseParts = lazy(async () => {
  await (await import('../house/words.ts')).loadWords()
  return { default: (await import('../house/HouseParts.tsx')).HouseParts }
})

/** The slip and, below it, what was bought. One island, as an empty one is never visible and never starts. */
export function BuyCounter() {
  const changes = useTermsChanges()
  const config = useStore($config, { ssr: () => undefined })
  const rules = useStore($rules, { ssr: () => undefined })
  const isBroken = changes.some(({ isAllowed }) => !isAllowed)
  return (
    <>
      {isBroken && <BrokenPromise changes={changes} />}
      <BuySlip />
      <TermsFold line={config?.terms} title={t.terms.title} />
      <PurchaseCards />
      {!isBroken && changes.length > 0 && <ChangedTerms changes={changes} />}
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
