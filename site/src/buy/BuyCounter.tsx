import { useStore } from '@nanostores/react'
import { BuySlip } from './BuySlip.tsx'
import { MyTickets } from './MyTickets.tsx'
import { PromiseNote } from './PromiseNote.tsx'
import { PurchaseSteps } from './PurchaseSteps.tsx'
import styles from './purchase.module.css'
import { $approving, $purchases } from './purchase.ts'

/** The slip and, below it, what was bought. One island, as an empty one is never visible and never starts. */
export function BuyCounter() {
  return (
    <>
      <BuySlip />
      <PurchaseCards />
      <PromiseNote />
      <MyTickets />
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
