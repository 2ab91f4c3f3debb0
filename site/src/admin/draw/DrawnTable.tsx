import type { PublicDrawnTicket } from '../../../../core/live/public.ts'
import { t } from '../language/t.ts'
import { HashText, Wallet } from '../ui/address.tsx'
import { Table } from '../ui/list.tsx'
import { count } from '../ui/numbers.ts'

const columns = [
  {
    name: t('순위'),
    cell: ({ kind, place }: PublicDrawnTicket) => `${kind === 'winner' ? t('당첨') : t('예비')} ${place}`,
  },
  {
    name: t('티켓'),
    cell: ({ ticketNumber }: PublicDrawnTicket) => `#${count(ticketNumber)}`,
    isFigure: true,
  },
  { name: t('지갑'), cell: ({ walletAddress }: PublicDrawnTicket) => <Wallet address={walletAddress} /> },
  {
    name: t('결제 거래'),
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
      <summary>{t('예비 {count}명', { count: reserves.length })}</summary>
      <DrawnTable label={t('이벤트 {eventNumber} 예비', { eventNumber })} drawn={reserves} />
    </details>
  )
}
