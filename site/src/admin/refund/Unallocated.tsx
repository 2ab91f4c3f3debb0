import { useState } from 'react'
import { Badge } from '../frame/Badge.tsx'
import { toStamp } from '../frame/dates.ts'
import { ListCard } from '../frame/Group.tsx'
import { HashText, Wallet } from '../frame/HashText.tsx'
import { count, usdtColumn } from '../frame/numbers.ts'
import { Table } from '../frame/Table.tsx'
import { MarkTransfer } from './MarkTransfer.tsx'
import { Pager } from './Pager.tsx'
import type { OperatorTransfer } from './types.ts'

const pageSize = 10
const keyOf = ({ transactionHash, position }: OperatorTransfer) => `${transactionHash} ${position}`

/** Transfers from an operator wallet to a payer that fit no row: an administrator marks non-refunds. */
export function Unallocated({ transfers }: { transfers: readonly OperatorTransfer[] }) {
  const [page, setPage] = useState(1)
  if (transfers.length === 0) return null
  const pages = Math.ceil(transfers.length / pageSize)
  const current = Math.min(page, pages)
  return (
    <ListCard
      title="환불인지 모르는 전송"
      reason="운영자 지갑에서 결제한 주소로 나갔지만 어느 환불과도 맞지 않는 전송입니다. 환불이 아니라고 하기 전까지 그 주소의 환불액에서 뺍니다."
    >
      <Table<OperatorTransfer>
        label="환불인지 모르는 전송"
        rows={transfers.slice((current - 1) * pageSize, current * pageSize)}
        idOf={keyOf}
        columns={[
          { name: '시각 (UTC)', cell: ({ at }) => <span className="figure">{toStamp(at)}</span> },
          { name: '받은 주소', cell: ({ to }) => <Wallet address={to} /> },
          { name: '거래', cell: ({ transactionHash }) => <HashText hash={transactionHash} /> },
          { name: '금액 (USDT)', isFigure: true, cell: ({ amount }) => usdtColumn(amount) },
          {
            name: '구분',
            cell: ({ notRefund }) => (
              <Badge tone={notRefund ? 'plain' : 'wait'}>{notRefund ? '환불 아님' : '환불에서 뺌'}</Badge>
            ),
          },
          { name: '바꾸기', cell: (transfer) => <MarkTransfer transfer={transfer} /> },
        ]}
      />
      <footer className="list-foot">
        <span>모두 {count(transfers.length)}건</span>
        <Pager page={current} count={pages} onChange={setPage} label="환불인지 모르는 전송 쪽" />
      </footer>
    </ListCard>
  )
}
