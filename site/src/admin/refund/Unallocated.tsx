import { useState } from 'react'
import { Badge } from '../frame/Badge.tsx'
import { toStamp } from '../frame/dates.ts'
import { ListCard } from '../frame/Group.tsx'
import { HashText, Wallet } from '../frame/HashText.tsx'
import listStyles from '../frame/List.module.css'
import { count, usdtColumn } from '../frame/numbers.ts'
import { Table } from '../frame/Table.tsx'
import { t } from '../language/t.ts'
import { useDuePrizes } from './due-prizes.ts'
import { MarkTransfer } from './MarkTransfer.tsx'
import { Pager } from './Pager.tsx'
import type { OperatorTransfer } from './types.ts'

const pageSize = 10
const keyOf = ({ transactionHash, position }: OperatorTransfer) => `${transactionHash} ${position}`

/** Transfers from an operator wallet to a payer that fit no row: an administrator marks non-refunds. */
export function Unallocated({ transfers }: { transfers: readonly OperatorTransfer[] }) {
  const [page, setPage] = useState(1)
  const prizes = useDuePrizes()
  if (transfers.length === 0) return null
  const pages = Math.ceil(transfers.length / pageSize)
  const current = Math.min(page, pages)
  return (
    <ListCard
      title={t('환불인지 모르는 전송')}
      reason={t(
        '운영자 지갑에서 결제한 주소로 나갔지만 어느 환불과도 맞지 않는 전송입니다. 환불이 아니라고 하기 전까지 그 주소의 환불액에서 뺍니다.',
      )}
    >
      <Table<OperatorTransfer>
        label={t('환불인지 모르는 전송')}
        rows={transfers.slice((current - 1) * pageSize, current * pageSize)}
        idOf={keyOf}
        columns={[
          { name: t('시각 (UTC)'), cell: ({ at }) => <span className="figure">{toStamp(at)}</span> },
          { name: t('받은 주소'), cell: ({ to }) => <Wallet address={to} /> },
          { name: t('거래'), cell: ({ transactionHash }) => <HashText hash={transactionHash} /> },
          { name: t('금액 (USDT)'), isFigure: true, cell: ({ amount }) => usdtColumn(amount) },
          {
            name: t('구분'),
            cell: ({ notRefund }) => (
              <Badge tone={notRefund ? 'plain' : 'wait'}>
                {notRefund ? t('환불 아님') : t('환불에서 뺌')}
              </Badge>
            ),
          },
          {
            name: t('바꾸기'),
            cell: (transfer) => (
              <MarkTransfer transfer={transfer} prize={prizes.get(transfer.to.toLowerCase())} />
            ),
          },
        ]}
      />
      <footer className={listStyles.foot}>
        <span>{t('모두 {count}건', { count: count(transfers.length) })}</span>
        <Pager page={current} count={pages} onChange={setPage} label={t('환불인지 모르는 전송 쪽')} />
      </footer>
    </ListCard>
  )
}
