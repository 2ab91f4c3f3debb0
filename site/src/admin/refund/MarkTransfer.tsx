import { showToast } from '../../shell/toast.ts'
import { api } from '../frame/api.ts'
import { Button } from '../frame/Button.tsx'
import { call } from '../frame/session.ts'
import { useAction } from '../frame/use-action.ts'
import { refreshDesk } from './desk-store.ts'
import type { OperatorTransfer } from './types.ts'

type Props = {
  transfer: Pick<OperatorTransfer, 'transactionHash' | 'position' | 'notRefund'>
  onMark?: () => Promise<void>
}

/** Says of a transfer that it was no refund, or takes that back. */
export function MarkTransfer({ transfer, onMark }: Props) {
  const { transactionHash, position } = transfer
  const notRefund = !transfer.notRefund
  const [mark, isBusy] = useAction('구분을 바꾸지 못했습니다', async () => {
    await call(() => api.refunds.transfers.post({ transactionHash, position, notRefund }))
    showToast(
      '구분을 바꿨습니다',
      notRefund ? '이 전송은 환불액에서 빼지 않습니다.' : '이 전송을 환불액에서 뺍니다.',
      'good',
    )
    await Promise.all([refreshDesk(), onMark?.()])
  })
  return (
    <Button tone="edged" size="compact" isBusy={isBusy} onClick={() => void mark()}>
      {notRefund ? '환불 아님으로' : '환불에서 빼기'}
    </Button>
  )
}
