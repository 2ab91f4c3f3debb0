import { BuySlip } from './BuySlip.tsx'
import { MyTickets } from './MyTickets.tsx'
import { PurchaseCards } from './PurchaseCards.tsx'

/** The slip and, beneath it, what was bought. One island, as an empty one is never seen and never starts. */
export function BuyCounter() {
  return (
    <>
      <BuySlip />
      <PurchaseCards />
      <MyTickets />
    </>
  )
}
