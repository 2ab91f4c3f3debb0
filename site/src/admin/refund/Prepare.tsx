import { showToast } from '../../shell/toast.ts'
import { Empty } from '../frame/AsyncView.tsx'
import { api } from '../frame/api.ts'
import { Button } from '../frame/Button.tsx'
import { loadEvent } from '../frame/config.ts'
import { confirm } from '../frame/confirm.ts'
import { Note } from '../frame/Note.tsx'
import { count, usdt } from '../frame/numbers.ts'
import { call, isRefusal } from '../frame/session.ts'
import { useAction } from '../frame/use-action.ts'
import { refreshDesk } from './desk-store.ts'
import styles from './Prepare.module.css'
import type { DeskScope, DeskSummary } from './types.ts'

/** Number of payers whose money is in no row yet. */
const unprepared = ({ kind }: DeskScope, summary: DeskSummary): number =>
  summary[kind].totalRefunds - summary.totalRefunds

/** Sends the totals on screen. If they have changed, nothing is prepared and the new ones are shown. */
function usePrepare(scope: DeskScope, summary: DeskSummary) {
  const { totalTickets, totalAmount, totalRefunds } = summary[scope.kind]
  return useAction('환불 준비에 실패했습니다', async () => {
    const yes = await confirm({
      title: '환불 준비',
      action: '환불 준비',
      body: (
        <>
          <p>
            주소 {count(totalRefunds)}개에 모두 {usdt(totalAmount)} USDT를 돌려줍니다.
            {scope.kind === 'event' && ` 티켓 ${count(totalTickets)}장 전액입니다.`}
          </p>
          <p>받는 주소와 금액은 체인 기록에서만 정해집니다. 아직 아무것도 보내지 않습니다.</p>
        </>
      ),
    })
    if (!yes) return
    const body = { refundInfo: { totalTickets, totalAmount }, ...scope }
    try {
      await call(() => api.raffle['execute-refund'].post(body))
      showToast('환불을 준비했습니다', '지갑을 연결해 서명을 시작하세요.', 'good')
    } catch (error) {
      if (isRefusal(error, 'REFUND_TOTALS_CHANGED', 'MIN_REACHED', 'SALES_OPEN')) void loadEvent()
      throw error
    } finally {
      await refreshDesk()
    }
  })
}

type Props = { scope: DeskScope; summary: DeskSummary }

/** Shown before there are rows. */
export function PrepareFirst({ scope, summary }: Props) {
  const [prepare, isBusy] = usePrepare(scope, summary)
  const { totalRefunds, totalAmount } = summary[scope.kind]
  if (scope.kind === 'event' && !summary.isRefundMode)
    return (
      <Empty title="이 이벤트는 환불 모드가 아닙니다.">
        최소 수량에 못 미친 채 추첨 시각이 지나면 자동으로 시작됩니다.
      </Empty>
    )
  if (totalRefunds === 0)
    return (
      <Empty title="환불할 금액이 없습니다.">
        {scope.kind === 'leftover' && summary.isRefundMode
          ? '환불 모드에서는 티켓 없는 결제도 이벤트 전액에 들어갑니다.'
          : '새 결제가 확정되면 여기에 나타납니다.'}
      </Empty>
    )
  return (
    <Empty title={`주소 ${count(totalRefunds)}개, ${usdt(totalAmount)} USDT`}>
      <span className={styles.first}>
        <span>체인 기록으로 주소마다 한 줄씩 만듭니다. 준비만으로는 아무것도 보내지 않습니다.</span>
        <Button
          isBusy={isBusy}
          disabled={summary.isPaused || !summary.isWatching}
          onClick={() => void prepare()}
        >
          환불 준비
        </Button>
      </span>
    </Empty>
  )
}

/** Shown beside rows, for money that came after them. */
export function PrepareMore({ scope, summary }: Props) {
  const [prepare, isBusy] = usePrepare(scope, summary)
  const more = unprepared(scope, summary)
  if (more <= 0) return null
  return (
    <Note
      action={
        <Button tone="edged" size="small" isBusy={isBusy} onClick={() => void prepare()}>
          추가 준비
        </Button>
      }
    >
      아직 준비되지 않은 환불이 {count(more)}건 있습니다.
    </Note>
  )
}
