import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { shorten } from '../../../../core/format.ts'
import { refundHolds } from '../../../../core/refund/rules.ts'
import { $now } from '../../live/clock.ts'
import { showToast } from '../../shell/toast.ts'
import { api } from '../frame/api.ts'
import { Button } from '../frame/Button.tsx'
import { confirm } from '../frame/confirm.ts'
import { usdt } from '../frame/numbers.ts'
import rowStyles from '../frame/Rows.module.css'
import { call } from '../frame/session.ts'
import { useAction } from '../frame/use-action.ts'
import { t } from '../language/t.ts'
import { refreshDesk } from './desk-store.ts'
import { callLost } from './lost.ts'
import { Readdress } from './Readdress.tsx'
import { ReportHash } from './ReportHash.tsx'
import type { DeskRow } from './types.ts'
import { waitingOf } from './waiting.ts'

/** What an administrator may decide about a row in its state. */
export function RowActions({ row, isAsked }: { row: DeskRow; isAsked: boolean }) {
  const [isMoving, setMoving] = useState(false)
  const [release, isReleasing] = useAction(t('보류를 해제하지 못했습니다'), async () => {
    if (await askRelease(row)) {
      await call(() => api.refunds({ id: row.id }).release.post())
      showToast(t('보류를 해제했습니다'), t('다음 서명에서 함께 보냅니다.'), 'good')
      await refreshDesk()
    }
  })
  const now = useStore($now)
  const [giveUp, isGivingUp] = useAction(t('거래를 없음으로 표시하지 못했습니다'), () => callLost([row.id]))
  const isHeld = refundHolds.some((hold) => hold === row.reason) && row.state !== 'settled'
  const isAtRest = row.state === 'planned' || row.state === 'failed'
  // Paid in another way, a row whose first request may still be open holds up whatever its payer is owed next.
  const isUnderWay = row.state === 'sent' || row.state === 'settled'
  const canBeLost = isUnderWay && waitingOf([row], now).toCallLost.length > 0
  return (
    <>
      <div className={rowStyles.row}>
        {isHeld && (
          <Button
            need="refund.release"
            tone="edged"
            size="small"
            isBusy={isReleasing}
            onClick={() => void release()}
          >
            {row.reason === 'dust' ? t('소액도 보내기') : t('보류 해제')}
          </Button>
        )}
        {isAtRest && (
          <Button
            need="refund.readdress"
            tone="edged"
            size="small"
            aria-expanded={isMoving}
            onClick={() => setMoving(!isMoving)}
          >
            {t('다른 주소로 환불')}
          </Button>
        )}
        {canBeLost && (
          <Button
            need="refund.lost"
            tone="danger-edged"
            size="small"
            isBusy={isGivingUp}
            onClick={() => void giveUp()}
          >
            {t('거래 없음으로 표시')}
          </Button>
        )}
      </div>
      {isMoving && isAtRest && <Readdress row={row} onDone={() => setMoving(false)} />}
      {row.state === 'offered' && !isAsked && <ReportHash row={row} />}
    </>
  )
}

function askRelease({ reason, to, amount }: DeskRow): Promise<boolean> {
  if (reason === 'dust')
    return confirm({
      title: t('소액 환불 포함'),
      action: t('포함'),
      body: t('{to}에 {amount} USDT를 보냅니다. 네트워크 수수료가 환불액보다 클 수 있습니다.', {
        to: shorten(to, 6, 4),
        amount: usdt(amount),
      }),
    })
  return confirm({
    title: t('보류 해제'),
    tone: 'danger',
    action: t('보류 해제'),
    typed: { label: t('받는 주소의 마지막 4자리'), value: to.slice(-4) },
    body: (
      <>
        <p>
          {t('결제한 주소 그대로 {amount} USDT를 보냅니다. 보낸 뒤에는 되돌릴 수 없습니다.', {
            amount: usdt(amount),
          })}
        </p>
        <p className="address figure">{to}</p>
      </>
    ),
  })
}
