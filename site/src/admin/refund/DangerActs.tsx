import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { $drawStatus } from '../../live/live.ts'
import { showToast } from '../../shell/toast.ts'
import { t } from '../language/t.ts'
import { api } from '../session/api.ts'
import { call } from '../session/session.ts'
import { Button } from '../ui/Button.tsx'
import { confirm } from '../ui/confirm.ts'
import { DangerAct, DangerZone } from '../ui/Danger.tsx'
import { DateField } from '../ui/DateField.tsx'
import { fromField, toApi, toField } from '../ui/dates.ts'
import { TextField } from '../ui/Field.tsx'
import rowStyles from '../ui/Rows.module.css'
import { useAction } from '../ui/use-action.ts'
import type { RefundSummary } from './desk.ts'

export function DangerActs({ events }: Pick<RefundSummary, 'events'>) {
  return (
    <DangerZone>
      <Notice isRefunding={events.some(({ isRefundMode }) => isRefundMode)} />
      <Stolen />
    </DangerZone>
  )
}

function Notice({ isRefunding }: { isRefunding: boolean }) {
  const isShown = useStore($drawStatus)?.refundNotice === true
  const [change, isBusy] = useAction(t('환불 공지에 실패했습니다'), async () => {
    const active = !isShown
    const title = active ? t('공지 켜기') : t('공지 끄기')
    const body = active
      ? t('모든 방문자 화면에 환불 안내가 바로 열립니다. 언제든 다시 끌 수 있습니다.')
      : t('방문자 화면에서 환불 안내가 닫힙니다. 환불 자체는 그대로 진행됩니다.')
    if (!(await confirm({ title, body, action: title, tone: active ? 'danger' : 'plain' }))) return
    await call(() => api.raffle['refund-notification'].post({ active }))
    showToast(title, t('홈 화면에 반영되었습니다.'), 'good')
  })
  return (
    <DangerAct
      title={t('홈 화면 환불 공지')}
      button={
        <Button
          writes
          tone="danger-edged"
          disabled={!isRefunding && !isShown}
          isBusy={isBusy}
          onClick={() => void change()}
        >
          {isShown ? t('공지 끄기') : t('공지 켜기')}
        </Button>
      }
    >
      {isRefunding || isShown
        ? t('모든 방문자 화면에 환불 안내가 열립니다.')
        : t('환불 모드가 시작되면 켤 수 있습니다.')}
    </DangerAct>
  )
}

/** Money that comes to a stolen wallet later is held, and what it holds is not counted. */
function Stolen() {
  const [wallet, setWallet] = useState('')
  const [since, setSince] = useState('')
  const from = fromField(since)
  const [report, isBusy] = useAction(t('도난을 기록하지 못했습니다'), async () => {
    if (!from) return
    const body = t(
      '이 지갑이 판 이벤트가 아직 판매 중이면 판매를 멈추고 모두 환불합니다. 되돌릴 수 없습니다.',
    )
    const action = t('도난으로 기록')
    if (!(await confirm({ title: t('지갑 도난 신고'), body, action, tone: 'danger' }))) return
    const asked = { wallet: wallet.trim(), from: toApi(from) }
    const { stolenFrom } = await call(() => api.wallets.stolen.post(asked))
    showToast(t('도난을 기록했습니다'), t('{since} UTC부터입니다.', { since: toField(stolenFrom) }), 'good')
  })
  return (
    <DangerAct
      title={t('지갑 도난 신고')}
      fields={
        <div className={rowStyles.pair}>
          <TextField
            label={t('도난당한 지갑')}
            value={wallet}
            onChange={setWallet}
            placeholder="0x…"
            isMono
          />
          <DateField
            label={t('도난 시각 (UTC)')}
            value={since}
            onChange={setSince}
            emptyHint={t('도난당했을 수 있는 가장 이른 시각')}
          />
        </div>
      }
      button={
        <Button
          writes
          tone="danger-edged"
          isBusy={isBusy}
          disabled={!wallet.trim() || !from}
          onClick={() => void report()}
        >
          {t('도난으로 기록')}
        </Button>
      }
    >
      {t('키를 도난당한 지갑입니다. 그때부터 들어온 돈은 보류하고, 남은 잔액은 보유 금액으로 세지 않습니다.')}
    </DangerAct>
  )
}
