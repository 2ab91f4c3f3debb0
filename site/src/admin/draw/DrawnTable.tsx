import type { PublicDrawnTicket } from '../../../../core/public.ts'
import { HashText, Wallet } from '../frame/HashText.tsx'
import { count } from '../frame/numbers.ts'
import { Table } from '../frame/Table.tsx'

const columns = [
  {
    name: '순위',
    cell: ({ kind, place }: PublicDrawnTicket) => `${kind === 'winner' ? '당첨' : '예비'} ${place}`,
  },
  { name: '티켓', cell: ({ ticketNumber }: PublicDrawnTicket) => `#${count(ticketNumber)}`, isFigure: true },
  { name: '지갑', cell: ({ walletAddress }: PublicDrawnTicket) => <Wallet address={walletAddress} /> },
  {
    name: '결제 거래',
    cell: ({ transactionHash }: PublicDrawnTicket) => <HashText hash={transactionHash} head={14} />,
  },
]

type Props = { label: string; drawn: readonly PublicDrawnTicket[] }

/** Drawn tickets in their order, with the wallets and the payments that bought them. */
export const DrawnTable = ({ label, drawn }: Props) => (
  <Table label={label} columns={columns} rows={drawn} idOf={({ kind, place }) => `${kind} ${place}`} />
)

type FoldedProps = { drawn: readonly PublicDrawnTicket[]; eventNumber: number }

/** The reserves behind a line that opens; nothing where none were drawn. */
export function Reserves({ drawn, eventNumber }: FoldedProps) {
  const reserves = drawn.filter(({ kind }) => kind === 'reserve')
  if (reserves.length === 0) return null
  return (
    <details>
      <summary>예비 {reserves.length}명</summary>
      <DrawnTable label={`이벤트 ${eventNumber} 예비`} drawn={reserves} />
    </details>
  )
}
