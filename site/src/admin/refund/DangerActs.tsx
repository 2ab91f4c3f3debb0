import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { $drawStatus } from '../../live/live.ts'
import { Pair } from '../../shell/Layout.tsx'
import { t } from '../language/t.ts'
import { api, call } from '../session/session.ts'
import { type Action, ActionButton } from '../ui/action.tsx'
import { DangerAct, DangerZone } from '../ui/card.tsx'
import { DateField, TextField } from '../ui/Field.tsx'
import { fromField, toApi, toField } from '../ui/format.ts'
import type { RefundSummary } from './desk.ts'

export const DangerActs = ({ events }: Pick<RefundSummary, 'events'>) => (
  <DangerZone>
    <Notice isRefunding={events.some(({ isRefundMode }) => isRefundMode)} />
    <Stolen />
  </DangerZone>
)

function Notice({ isRefunding }: { isRefunding: boolean }) {
  const isShown = useStore($drawStatus)?.refundNotice === true
  return (
    <DangerAct
      title={t('홈 화면 환불 공지')}
      button={<ActionButton action={notice(!isShown)} size="normal" disabled={!isRefunding && !isShown} />}
    >
      {isRefunding || isShown
        ? t('모든 방문자 화면에 환불 안내가 열립니다.')
        : t('환불 모드가 시작되면 켤 수 있습니다.')}
    </DangerAct>
  )
}

const notice = (active: boolean): Action => {
  const name = active ? t('공지 켜기') : t('공지 끄기')
  const body = active
    ? t('모든 방문자 화면에 환불 안내가 바로 열립니다. 언제든 다시 끌 수 있습니다.')
    : t('방문자 화면에서 환불 안내가 닫힙니다. 환불 자체는 그대로 진행됩니다.')
  return {
    name,
    failure: t('환불 공지에 실패했습니다'),
    writes: true,
    tone: 'danger-edged',
    ask: () => ({ body, tone: active ? 'danger' : 'plain' }),
    run: () => call(() => api.raffle['refund-notification'].post({ active })),
    told: () => [name, t('홈 화면에 반영되었습니다.')],
  }
}

function Stolen() {
  const [wallet, setWallet] = useState('')
  const [since, setSince] = useState('')
  const from = fromField(since)
  return (
    <DangerAct
      title={t('지갑 도난 신고')}
      fields={
        <Pair>
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
        </Pair>
      }
      button={
        <ActionButton
          action={stolen}
          row={{ wallet: wallet.trim(), from: from ? toApi(from) : '' }}
          size="normal"
          disabled={!wallet.trim() || !from}
        />
      }
    >
      {t('키를 도난당한 지갑입니다. 그때부터 들어온 돈은 보류하고, 남은 잔액은 보유 금액으로 세지 않습니다.')}
    </DangerAct>
  )
}

const stolen: Action<{ wallet: string; from: string }, { stolenFrom: string }> = {
  name: t('도난으로 기록'),
  failure: t('도난을 기록하지 못했습니다'),
  ask: () => ({
    title: t('지갑 도난 신고'),
    body: t('이 지갑이 판 이벤트가 아직 판매 중이면 판매를 멈추고 모두 환불합니다. 되돌릴 수 없습니다.'),
  }),
  run: (report) => call(() => api.wallets.stolen.post(report)),
  told: (_, { stolenFrom }) => [
    t('도난을 기록했습니다'),
    t('{since} UTC부터입니다.', { since: toField(stolenFrom) }),
  ],
  writes: true,
  tone: 'danger-edged',
}
