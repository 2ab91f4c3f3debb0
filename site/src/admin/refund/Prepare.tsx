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
import { t } from '../language/t.ts'
import { refreshDesk } from './desk-store.ts'
import styles from './Prepare.module.css'
import type { DeskScope, DeskSummary } from './types.ts'

/** Number of payers whose money is in no row yet. */
const unprepared = ({ kind }: DeskScope, summary: DeskSummary): number =>
  summary[kind].totalRefunds - summary.totalRefunds

/** Sends the totals on screen. If they have changed, nothing is prepared and the new ones are shown. */
function usePrepare(scope: DeskScope, summary: DeskSummary) {
  const { totalTickets, totalAmount, totalRefunds } = summary[scope.kind]
  return useAction(t('환불 준비에 실패했습니다'), async () => {
    const yes = await confirm({
      title: t('환불 준비'),
      action: t('환불 준비'),
      body: (
        <>
          <p>
            {t('주소 {totalRefunds}개에 모두 {totalAmount} USDT를 돌려줍니다.', {
              totalRefunds: count(totalRefunds),
              totalAmount: usdt(totalAmount),
            })}
            {scope.kind === 'event' &&
              ` ${t('티켓 {totalTickets}장 전액입니다.', { totalTickets: count(totalTickets) })}`}
          </p>
          <p>{t('받는 주소와 금액은 체인 기록에서만 정해집니다. 아직 아무것도 보내지 않습니다.')}</p>
        </>
      ),
    })
    if (!yes) return
    const body = { refundInfo: { totalTickets, totalAmount }, ...scope }
    try {
      await call(() => api.raffle['execute-refund'].post(body))
      showToast(t('환불을 준비했습니다'), t('지갑을 연결해 서명을 시작하세요.'), 'good')
    } catch (error) {
      if (isRefusal(error, 'REFUND_TOTALS_CHANGED', 'MIN_REACHED', 'SALES_OPEN')) void loadEvent()
      throw error
    } finally {
      await refreshDesk()
    }
  })
}

type Props = { scope: DeskScope; summary: DeskSummary }

/** What is owed, but cannot be prepared before the sale was read a second time; nothing where there is none. */
function Waiting({ totalRefunds, totalAmount }: DeskSummary['leftover']['waiting']) {
  if (totalRefunds === 0) return null
  const values = { payers: count(totalRefunds), amount: usdt(totalAmount) }
  return (
    <span>
      {t(
        '한도를 넘은 결제 중 주소 {payers}개, {amount} USDT는 아직 티켓을 받을 수 있어 기다립니다. 판매를 두 번째로 읽어 그 블록을 지나면 준비할 수 있습니다.',
        values,
      )}
    </span>
  )
}

/** Shown before there are rows. */
export function PrepareFirst({ scope, summary }: Props) {
  const [prepare, isBusy] = usePrepare(scope, summary)
  const { totalRefunds, totalAmount } = summary[scope.kind]
  if (scope.kind === 'event' && !summary.isRefundMode)
    return (
      <Empty title={t('이 이벤트는 환불 모드가 아닙니다.')}>
        {t('최소 수량에 못 미친 채 추첨 시각이 지나면 자동으로 시작됩니다.')}
      </Empty>
    )
  if (totalRefunds === 0 && summary[scope.kind].waiting.totalRefunds > 0)
    return (
      <Empty title={t('두 번째 판독을 기다리는 환불이 있습니다.')}>
        <Waiting {...summary[scope.kind].waiting} />
      </Empty>
    )
  if (totalRefunds === 0)
    return (
      <Empty title={t('환불할 금액이 없습니다.')}>
        {scope.kind === 'leftover' && summary.isRefundMode
          ? t('환불 모드에서는 티켓 없는 결제도 이벤트 전액에 들어갑니다.')
          : t('새 결제가 확정되면 여기에 나타납니다.')}
      </Empty>
    )
  return (
    <Empty
      title={t('주소 {totalRefunds}개, {totalAmount} USDT', {
        totalRefunds: count(totalRefunds),
        totalAmount: usdt(totalAmount),
      })}
    >
      <span className={styles.first}>
        <span>{t('체인 기록으로 주소마다 한 줄씩 만듭니다. 준비만으로는 아무것도 보내지 않습니다.')}</span>
        <Button
          need="refund.execute"
          isBusy={isBusy}
          disabled={summary.isPaused || !summary.isWatching}
          onClick={() => void prepare()}
        >
          {t('환불 준비')}
        </Button>
        <Waiting {...summary[scope.kind].waiting} />
      </span>
    </Empty>
  )
}

/** Shown beside rows, for money that came after them. */
export function PrepareMore({ scope, summary }: Props) {
  const [prepare, isBusy] = usePrepare(scope, summary)
  const more = unprepared(scope, summary)
  const { waiting } = summary[scope.kind]
  if (more <= 0 && waiting.totalRefunds === 0) return null
  if (more <= 0)
    return (
      <Note>
        <Waiting {...waiting} />
      </Note>
    )
  return (
    <Note
      action={
        <Button
          need="refund.execute"
          tone="edged"
          size="small"
          isBusy={isBusy}
          onClick={() => void prepare()}
        >
          {t('추가 준비')}
        </Button>
      }
    >
      {t('아직 준비되지 않은 환불이 {more}건 있습니다.', { more: count(more) })}
    </Note>
  )
}
