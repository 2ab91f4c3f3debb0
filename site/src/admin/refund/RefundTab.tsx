import { useStore } from '@nanostores/react'
import type { RefundCause } from '../../../../core/refund/rules.ts'
import { $now } from '../../live/clock.ts'
import { $live } from '../../live/live.ts'
import { showToast } from '../../shell/toast.ts'
import { Retry, SkeletonRows } from '../frame/AsyncView.tsx'
import { api } from '../frame/api.ts'
import { Button } from '../frame/Button.tsx'
import { $event, $eventTrouble, loadEvent } from '../frame/config.ts'
import { confirm } from '../frame/confirm.ts'
import { DangerAct, DangerZone } from '../frame/Danger.tsx'
import { inWords } from '../frame/dates.ts'
import { Note } from '../frame/Note.tsx'
import { count } from '../frame/numbers.ts'
import { call } from '../frame/session.ts'
import type { AdminConfig } from '../frame/types.ts'
import { useAction } from '../frame/use-action.ts'
import { t } from '../language/t.ts'
import { AddRefundWallet } from './AddRefundWallet.tsx'
import { RefundDesk } from './RefundDesk.tsx'
import { SafeFile } from './SafeFile.tsx'

export function RefundTab() {
  const event = useStore($event)
  const trouble = useStore($eventTrouble)
  const { stats, drawStatus } = useStore($live)
  const now = useStore($now)
  if (!event)
    return trouble ? <Retry text={trouble} onRetry={() => void loadEvent()} /> : <SkeletonRows rows={6} />
  const { tone, title, text } = refundStanding(
    event,
    stats?.ticketsSold ?? event.ticketsSold,
    now,
    drawStatus?.refundReason ?? null,
  )
  return (
    <>
      <Note tone={tone}>
        <b>{title}</b> {text}
      </Note>
      <RefundDesk event={event} />
      <SafeFile />
      <AddRefundWallet eventNumber={event.eventNumber} />
      <NoticeZone
        isRefundMode={event.isRefundMode}
        isShown={drawStatus?.refundNotice ?? event.refundNotice}
      />
    </>
  )
}

/** Whether the event is refunded, and why or why not yet. `now` in milliseconds by the server's clock. */
function refundStanding(
  event: AdminConfig,
  sold: number,
  now: number,
  reason: RefundCause | null,
): { tone: 'plain' | 'bad'; title: string; text: string } {
  const { isRefundMode, drawDate, minTicketsForDraw } = event
  if (isRefundMode)
    return {
      tone: 'bad',
      title: t('환불 모드입니다.'),
      text: t('{cause} 결제한 주소로 전액 환불합니다.', { cause: causeOf(reason, sold, minTicketsForDraw) }),
    }
  if (sold >= minTicketsForDraw)
    return {
      tone: 'plain',
      title: t('최소 수량을 달성했습니다.'),
      text: t('이 이벤트는 전액 환불 대상이 아닙니다. 티켓 없는 결제는 따로 환불할 수 있습니다.'),
    }
  const isDue = drawDate !== null && Date.parse(drawDate) <= now
  return {
    tone: 'plain',
    title: t('아직 환불 모드가 아닙니다.'),
    text: isDue
      ? t('마지막 블록이 확정되면 자동으로 시작됩니다.')
      : drawDate
        ? t('{drawDate} (한국)까지 최소 수량에 못 미치면 자동으로 시작됩니다.', {
            drawDate: inWords(drawDate),
          })
        : t('추첨 일시를 정하면, 그때까지 최소 수량에 못 미칠 경우 자동으로 시작됩니다.'),
  }
}

function causeOf(reason: RefundCause | null, sold: number, minimum: number): string {
  switch (reason) {
    case 'overdue':
      return t('정해진 기한까지 추첨 결과가 나오지 않았습니다.')
    case 'beacon_lost':
      return t('추첨에 쓸 공개 난수가 기한까지 나오지 않았습니다.')
    case 'stopped':
      return t('운영자가 판매를 중지했습니다.')
    case 'ledger':
      return t('티켓 명단이 추첨 시각 전에 고정된 명단과 다릅니다.')
    default:
      return t('{minimum}장 중 {sold}장만 판매되었습니다.', { minimum: count(minimum), sold: count(sold) })
  }
}

function NoticeZone({ isRefundMode, isShown }: { isRefundMode: boolean; isShown: boolean }) {
  const [change, isBusy] = useAction(t('환불 공지에 실패했습니다'), async () => {
    const active = !isShown
    const yes = await confirm({
      title: active ? t('환불 공지 켜기') : t('환불 공지 끄기'),
      tone: active ? 'danger' : 'plain',
      action: active ? t('공지 켜기') : t('공지 끄기'),
      body: active
        ? t('모든 방문자 화면에 환불 안내가 바로 열립니다. 언제든 다시 끌 수 있습니다.')
        : t('방문자 화면에서 환불 안내가 닫힙니다. 환불 자체는 그대로 진행됩니다.'),
    })
    if (!yes) return
    await call(() => api.raffle['refund-notification'].post({ active }))
    showToast(
      active ? t('환불 공지를 켰습니다') : t('환불 공지를 껐습니다'),
      t('홈 화면에 반영되었습니다.'),
      'good',
    )
  })
  return (
    <DangerZone>
      <DangerAct
        title={t('홈 화면 환불 공지')}
        button={
          <Button
            need="refund-notification"
            tone="danger-edged"
            disabled={!isRefundMode && !isShown}
            isBusy={isBusy}
            onClick={() => void change()}
          >
            {isShown ? t('공지 끄기') : t('공지 켜기')}
          </Button>
        }
      >
        {isRefundMode || isShown
          ? t('모든 방문자 화면에 환불 안내가 열립니다.')
          : t('환불 모드가 시작되면 켤 수 있습니다.')}
      </DangerAct>
    </DangerZone>
  )
}
