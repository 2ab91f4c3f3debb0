import { useStore } from '@nanostores/react'
import { PurchaseSteps } from './PurchaseSteps.tsx'
import styles from './purchase.module.css'
import { $approving, $purchases } from './purchase.ts'

/** The purchase that waits for approval in the wallet, then those already sent, newest first. */
export function PurchaseCards() {
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
