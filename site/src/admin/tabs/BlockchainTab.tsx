import { ManualTransaction } from './ManualTransaction.tsx'
import { PaymentsWithoutTicket } from './PaymentsWithoutTicket.tsx'
import { PipelineCard } from './PipelineCard.tsx'
import { SalesHalt } from './SalesHalt.tsx'

export function BlockchainTab() {
  return (
    <>
      <SalesHalt />
      <ManualTransaction />
      <PipelineCard />
      <PaymentsWithoutTicket />
    </>
  )
}
