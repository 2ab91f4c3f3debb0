import { usdtOf } from '../../../../core/money.ts'
import { showToast } from '../../shell/toast.ts'
import { api } from '../frame/api.ts'
import { Button } from '../frame/Button.tsx'
import { call } from '../frame/session.ts'
import { useAction } from '../frame/use-action.ts'
import { t } from '../language/t.ts'
import { refreshDesk } from './desk-store.ts'
import type { DuePrize } from './due-prizes.ts'
import type { OperatorTransfer } from './types.ts'

type Props = {
  transfer: Pick<OperatorTransfer, 'transactionHash' | 'position' | 'notRefund' | 'units'>
  /** What its receiver has won and was not paid. */
  prize?: DuePrize | undefined
  onMark?: (() => Promise<void>) | undefined
}

/** Says of a transfer that it was no refund, or the prize of its receiver, or takes that back. */
export function MarkTransfer({ transfer, prize, onMark }: Props) {
  const { transactionHash, position } = transfer
  const notRefund = !transfer.notRefund
  const [mark, isBusy] = useAction(t('구분을 바꾸지 못했습니다'), async () => {
    await call(() => api.refunds.transfers.post({ transactionHash, position, notRefund }))
    showToast(
      t('구분을 바꿨습니다'),
      notRefund ? t('이 전송은 환불액에서 빼지 않습니다.') : t('이 전송을 환불액에서 뺍니다.'),
      'good',
    )
    await Promise.all([refreshDesk(), onMark?.()])
  })
  return (
    <>
      <Button need="refund.transfer" tone="edged" size="compact" isBusy={isBusy} onClick={() => void mark()}>
        {notRefund ? t('환불 아님으로') : t('환불에서 빼기')}
      </Button>
      {prize && <MarkPrize transfer={transfer} prize={prize} onMark={onMark} />}
    </>
  )
}

/** Sent by another amount than the prize, so that the rule did not see it; what of it is more than the prize is said before. */
function MarkPrize({ transfer, prize, onMark }: Props & { prize: DuePrize }) {
  const { transactionHash, position, units } = transfer
  const rest = BigInt(units) - prize.unpaid
  const [mark, isBusy] = useAction(t('구분을 바꾸지 못했습니다'), async () => {
    await call(() => api.refunds.transfers.post({ transactionHash, position, markedAs: 'prize' }))
    showToast(t('경품 지급으로 기록했습니다'), t('공개 기록에 이 거래가 나타납니다.'), 'good')
    await Promise.all([refreshDesk(), onMark?.()])
  })
  return (
    <>
      <Button need="refund.transfer" tone="edged" size="compact" isBusy={isBusy} onClick={() => void mark()}>
        {t('이벤트 {eventNumber} 경품 {place}번으로', { eventNumber: prize.eventNumber, place: prize.place })}
      </Button>
      {rest !== 0n && (
        <small>
          {rest > 0n
            ? t(
                '미지급 경품보다 {rest} USDT 많습니다. 남는 금액은 다른 전송으로 공개되며, 환불로 세지 않습니다.',
                { rest: usdtOf(`${rest}`) },
              )
            : t('경품의 일부입니다. {rest} USDT가 더 남습니다.', { rest: usdtOf(`${-rest}`) })}
        </small>
      )}
    </>
  )
}
