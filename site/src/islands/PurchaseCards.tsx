import { useStore } from '@nanostores/react'
import { $approving, $purchases } from '../stores/purchase.ts'
import { PurchaseSteps } from './PurchaseSteps.tsx'

/** What this buyer has under way, newest first; nothing at all without a purchase. */
export function PurchaseCards() {
  const approving = useStore($approving, { ssr: () => undefined })
  const purchases = useStore($purchases, { ssr: () => [] })
  return (
    <div className="purchases">
      {approving && <PurchaseSteps approving={approving} />}
      {purchases.map((purchase) => (
        <PurchaseSteps key={purchase.hash} purchase={purchase} />
      ))}
    </div>
  )
}
