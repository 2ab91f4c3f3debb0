import { BuySlip } from './BuySlip.tsx'
import { MyTickets } from './MyTickets.tsx'
import { PurchaseCards } from './PurchaseCards.tsx'

/** The slip and, below it, what was bought. One island, as an empty one is never visible and never starts. */
export function BuyCounter() {
  return (
    <>
      <BuySlip />
      <PurchaseCards />
      <MyTickets />
    </>
  )
}
