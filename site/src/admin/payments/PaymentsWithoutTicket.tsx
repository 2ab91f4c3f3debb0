import { useStore } from '@nanostores/react'
import pauseIcon from 'lucide-static/icons/circle-pause.svg?raw'
import crossIcon from 'lucide-static/icons/x.svg?raw'
import { useState } from 'react'
import type { PaymentReason } from '../../../../core/payment/payment.ts'
import { t } from '../language/t.ts'
import { api, type PaymentItem } from '../session/api.ts'
import { call } from '../session/session.ts'
import type { Action } from '../ui/action.tsx'
import { HashText, Wallet } from '../ui/address.tsx'
import { ListCard } from '../ui/card.tsx'
import { count, toStamp, usdtColumn } from '../ui/format.ts'
import { List } from '../ui/list.tsx'
import { Badge } from '../ui/Note.tsx'
import { usePages } from '../ui/resource.tsx'
import { Select } from '../ui/select.tsx'
import { $pipeline } from './pipeline.ts'

/** Why a payment got no ticket. */
export const reasonTexts: Record<string, string> = {
  late: t('판매 종료 후'),
  early: t('판매 시작 전'),
  underpaid: t('금액 부족'),
  reverted: t('실패한 거래'),
  no_transfer: t('송금 없음'),
  wrong_token: t('다른 토큰'),
  old_wallet: t('이전 지갑'),
  held: t('보류'),
  missed: t('추첨 뒤 발견'),
}

/** Payments that got no ticket; they are listed for refund. */
export function PaymentsWithoutTicket() {
  const [reason, setReason] = useState<PaymentReason | ''>('')
  const pipeline = useStore($pipeline)
  const known = pipeline?.withoutTicket ?? {}
  const total = Object.values(known).reduce((sum, n) => sum + n, 0)
  const payments = usePages<PaymentItem>(
    (last) => {
      const query = { status: 'rejected', reason, cursor: `${last?.id ?? ''}` } as const
      return call(() => api.payments.get({ query }))
    },
    // A new payment reloads the list.
    { query: reason, turn: total },
  )
  return (
    <ListCard
      title={t('티켓 없는 결제')}
      reason={t(
        '돈은 들어왔지만 티켓이 발급되지 않은 결제입니다. 운영자 자신의 돈이라고 정한 것이 아니면 환불 대상입니다.',
      )}
      actions={
        <Select
          isLabelled
          label={t('사유')}
          value={reason}
          options={[
            ['', t('전체')],
            ...Object.entries(reasonTexts).map(
              ([code, text]) =>
                [code as PaymentReason, known[code] ? `${text} (${count(known[code])})` : text] as const,
            ),
          ]}
          onChange={setReason}
        />
      }
    >
      <List<PaymentItem>
        label={t('티켓 없는 결제')}
        from={payments}
        idOf={({ id }) => id}
        actions={[ownMoney, notOwn]}
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

/** Money that the operator has sent to himself is owed to nobody. */
const ownMoney: Action<PaymentItem> = {
  name: t('운영자 돈으로'),
  failure: t('구분을 바꾸지 못했습니다'),
  ask: ({ amount }) => ({
    title: t('운영자 자신의 돈'),
    tone: 'danger',
    action: t('운영자 돈으로'),
    body: t(
      '이 {amount} USDT는 운영자가 스스로 보낸 돈이라 누구에게도 돌려주지 않습니다. 감사 기록에 남고, 되돌릴 수 있습니다.',
      { amount: usdtColumn(amount) },
    ),
  }),
  run: ({ transactionHash, walletAddress: payer, operatorWallet: wallet }) =>
    call(() => api.refunds.mark.post({ transactionHash, payer, wallet, markedAs: 'own' })),
  told: () => [t('구분을 바꿨습니다'), t('환불액에 바로 반영되었습니다.')],
  writes: true,
  fits: ({ isOwn, reason }) => !isOwn && reason !== 'held' && reason !== 'early',
}
const notOwn: Action<PaymentItem> = {
  name: t('환불 대상으로'),
  failure: t('구분을 바꾸지 못했습니다'),
  run: ({ transactionHash, walletAddress: payer, operatorWallet: wallet }) =>
    call(() => api.refunds.mark.post({ transactionHash, payer, wallet, markedAs: null })),
  told: () => [t('구분을 바꿨습니다'), t('환불액에 바로 반영되었습니다.')],
  writes: true,
  fits: ({ isOwn }) => isOwn,
}
