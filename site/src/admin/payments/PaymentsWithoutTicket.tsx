import { useStore } from '@nanostores/react'
import pauseIcon from 'lucide-static/icons/circle-pause.svg?raw'
import crossIcon from 'lucide-static/icons/x.svg?raw'
import { useState } from 'react'
import type { PaymentReason } from '../../../../core/payment/payment.ts'
import { api } from '../frame/api.ts'
import { Badge } from '../frame/Badge.tsx'
import { reasonTexts } from '../frame/content.ts'
import { toStamp } from '../frame/dates.ts'
import { ListCard } from '../frame/Group.tsx'
import { HashText, Wallet } from '../frame/HashText.tsx'
import { count, usdtColumn } from '../frame/numbers.ts'
import { PagedTable } from '../frame/PagedTable.tsx'
import rowStyles from '../frame/Rows.module.css'
import { call } from '../frame/session.ts'
import type { PaymentItem } from '../frame/types.ts'
import { usePages } from '../frame/use-pages.ts'
import { t } from '../language/t.ts'
import { $pipeline } from './pipeline.ts'

/** Payments that got no ticket; they are listed for refund. */
export function PaymentsWithoutTicket() {
  const [reason, setReason] = useState<PaymentReason | ''>('')
  const pipeline = useStore($pipeline)
  const known = pipeline?.withoutTicket ?? {}
  const total = Object.values(known).reduce((sum, n) => sum + n, 0)
  const pages = usePages<PaymentItem>(
    (cursor) => {
      const query = { status: 'rejected', reason, cursor: `${cursor ?? ''}` } as const
      return call(() => api.payments.get({ query }))
    },
    // A new payment reloads the list.
    `${reason} ${total}`,
  )
  return (
    <ListCard
      title={t('티켓 없는 결제')}
      reason={t('돈은 들어왔지만 티켓이 발급되지 않은 결제입니다. 모두 환불 대상으로 남습니다.')}
      actions={
        <label className={rowStyles.label}>
          {t('사유')}
          <select
            className="input"
            value={reason}
            onChange={(event) => setReason(event.target.value as PaymentReason | '')}
          >
            <option value="">{t('전체')}</option>
            {Object.entries(reasonTexts).map(([code, text]) => (
              <option key={code} value={code}>
                {text}
                {known[code] ? ` (${count(known[code])})` : ''}
              </option>
            ))}
          </select>
        </label>
      }
    >
      <PagedTable<PaymentItem>
        label={t('티켓 없는 결제')}
        pages={pages}
        empty={t('티켓 없는 결제가 없습니다.')}
        columns={[
          {
            name: t('시각 (UTC)'),
            cell: ({ createdAt }) => <span className="figure">{toStamp(createdAt)}</span>,
          },
          {
            name: t('보낸 지갑'),
            place: 'lead',
            cell: ({ walletAddress }) => <Wallet address={walletAddress} />,
          },
          { name: t('거래'), cell: ({ transactionHash }) => <HashText hash={transactionHash} /> },
          {
            name: t('사유'),
            cell: ({ reason: why }) => (
              <Badge tone={why === 'held' ? 'held' : 'bad'} icon={why === 'held' ? pauseIcon : crossIcon}>
                {(why && reasonTexts[why]) ?? t('알 수 없음')}
              </Badge>
            ),
          },
          { name: t('금액 (USDT)'), place: 'end', isFigure: true, cell: ({ amount }) => usdtColumn(amount) },
        ]}
      />
    </ListCard>
  )
}
