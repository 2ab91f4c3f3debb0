import type { PublicWinner } from '../../../../core/live/public.ts'
import { t } from '../language/t.ts'
import { type AdminConfig, api, call, isRefusal, within } from '../session/session.ts'
import { leaveNotice } from '../session/token.ts'
import { type Action, ActionButton } from '../ui/action.tsx'
import { DangerAct, DangerZone } from '../ui/card.tsx'

type Props = { event: AdminConfig; isReady: boolean; winner: PublicWinner | undefined }

export function DrawDanger({ event: { eventNumber }, isReady, winner }: Props) {
  return (
    <DangerZone>
      <DangerAct
        title={t('블록체인 추첨')}
        button={<ActionButton action={draw} row={eventNumber} size="normal" disabled={!isReady} />}
      >
        {isReady
          ? t('당첨자를 뽑아 발표합니다. 한 번뿐이며 되돌릴 수 없습니다.')
          : winner
            ? t('이 이벤트의 당첨자가 이미 발표되어 있습니다.')
            : t('위 조건이 모두 충족되면 누를 수 있습니다. 한 번뿐이며 되돌릴 수 없습니다.')}
      </DangerAct>
      <DangerAct
        title={t('당첨자 발표 지우기')}
        button={<ActionButton action={clear} row={eventNumber} size="normal" disabled={!winner} />}
      >
        {winner
          ? t('홈 화면에서 당첨자 발표를 내립니다. 다시 추첨하면 같은 당첨자가 나옵니다.')
          : t('발표된 당첨자가 없습니다.')}
      </DangerAct>
    </DangerZone>
  )
}

const typed = (eventNumber: number) => ({
  label: t('확인을 위해 이벤트 번호를 입력하세요: {eventNumber}', { eventNumber }),
  value: `${eventNumber}`,
})

const draw: Action<number> = {
  name: t('추첨 시작'),
  failure: t('블록체인 추첨에 실패했습니다'),
  ask: (eventNumber) => ({
    typed: typed(eventNumber),
    body: t(
      '모든 방문자 화면에서 10초 동안 추첨이 진행되고 당첨자가 발표됩니다. 이벤트마다 한 번뿐이며 다시 추첨할 수 없습니다.',
    ),
  }),
  async run() {
    // The block of the draw date may be some seconds from final when the button is pressed at once.
    await whenFinal(() => call(() => api.blockchain.draw.post(undefined, within(60_000))))
    await reloadWith(t('추첨을 시작했습니다. 10초 뒤에 당첨자가 발표됩니다.'))
  },
  writes: true,
  tone: 'danger',
}
const clear: Action<number> = {
  name: t('발표 지우기'),
  failure: t('당첨자 초기화에 실패했습니다'),
  ask: (eventNumber) => ({
    title: t('당첨자 발표 지우기'),
    typed: typed(eventNumber),
    body: t(
      '공개 페이지에서 당첨자가 사라집니다. 추첨 기록은 지워지지 않으며, 다시 추첨하면 같은 당첨자가 발표됩니다. 지운 사실은 공개 변경 기록에 남습니다.',
    ),
  }),
  async run() {
    await call(() => api.raffle.winner.delete())
    await reloadWith(t('당첨자 발표를 지웠습니다.'))
  },
  writes: true,
  tone: 'danger-edged',
}

const everyMs = 2_000
const tries = 10

/** Retries for some seconds while the server only answers that a block is not final. */
async function whenFinal<T>(act: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried++)
    try {
      return await act()
    } catch (error) {
      if (tried === tries || !isRefusal(error, 'NOT_FINAL')) throw error
      await new Promise((resolve) => setTimeout(resolve, everyMs))
    }
}

/** Clears all caches and reloads the page, which then shows `notice`. */
async function reloadWith(notice: string): Promise<void> {
  leaveNotice(notice)
  if ('caches' in window)
    for (const name of await caches.keys().catch(() => [])) await caches.delete(name).catch(() => false)
  location.reload()
}
