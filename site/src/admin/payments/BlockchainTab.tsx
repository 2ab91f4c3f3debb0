import { SalesHalt } from '../frame/SalesHalt.tsx'
import { ManualTransaction } from './ManualTransaction.tsx'
import { PaymentsWithoutTicket } from './PaymentsWithoutTicket.tsx'
import { PipelineCard } from './PipelineCard.tsx'

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
