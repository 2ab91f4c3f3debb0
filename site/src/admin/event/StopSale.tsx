import { useStore } from '@nanostores/react'
import { $now } from '../../live/clock.ts'
import { t } from '../language/t.ts'
import { api } from '../session/api.ts'
import { loadEvent } from '../session/config.ts'
import { call } from '../session/session.ts'
import type { AdminConfig } from '../session/types.ts'
import { type Action, ActionButton } from '../ui/action.tsx'
import { DangerAct, DangerZone } from '../ui/card.tsx'

const stop: Action<AdminConfig> = {
  name: t('판매 중단하고 환불'),
  failure: t('판매를 중단하지 못했습니다'),
  tone: 'danger-edged',
  writes: true,
  ask: ({ eventNumber }) => ({
    title: t('판매 중단하고 환불'),
    body: t('판매가 지금 끝나고, 모든 결제를 전액 환불합니다. 추첨하지 않습니다. 되돌릴 수 없습니다.'),
    action: t('판매 중단하고 환불'),
    tone: 'danger',
    typed: { label: t('이벤트 번호 {eventNumber} 입력', { eventNumber }), value: `${eventNumber}` },
  }),
  run: () => call(() => api.raffle['stop-sale'].post()),
  told: () => [t('판매를 중단했습니다'), t('환불 탭에서 전액 환불을 시작하세요.')],
}

/** The way out of what the first ticket locked, as long as the sale is on. */
export function StopSale({ event }: { event: AdminConfig }) {
  const now = useStore($now)
  const isOn = event.saleEndDate === null || now < Date.parse(event.saleEndDate)
  if (!isOn || event.isOver || !event.lockedAt) return null
  return (
    <DangerZone>
      <DangerAct
        title={t('추첨하지 않고 끝내기')}
        button={<ActionButton action={stop} row={event} onDone={loadEvent} />}
      >
        {t('약속한 조건은 바꿀 수 없지만, 판매가 끝나기 전에는 중단하고 모두에게 돌려줄 수 있습니다.')}
      </DangerAct>
    </DangerZone>
  )
}
