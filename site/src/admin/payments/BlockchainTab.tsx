import { useStore } from '@nanostores/react'
import { showToast } from '../../shell/toast.ts'
import { t } from '../language/t.ts'
import { api } from '../session/api.ts'
import { $event, loadEvent } from '../session/config.ts'
import { call } from '../session/session.ts'
import { SolvencyCard } from '../solvency/SolvencyCard.tsx'
import { Button } from '../ui/Button.tsx'
import { confirm } from '../ui/confirm.ts'
import { Note } from '../ui/Note.tsx'
import { useAction } from '../ui/use-action.ts'
import { ManualTransaction } from './ManualTransaction.tsx'
import { PaymentsWithoutTicket } from './PaymentsWithoutTicket.tsx'
import { PipelineCard } from './PipelineCard.tsx'

export function BlockchainTab() {
  return (
    <>
      <SalesHalt />
      <SolvencyCard />
      <ManualTransaction />
      <PipelineCard />
      <PaymentsWithoutTicket />
    </>
  )
}

/** Shown while sales are paused because the ticket list had to be rebuilt. */
function SalesHalt() {
  const event = useStore($event)
  const [resume, isBusy] = useAction(t('판매를 재개하지 못했습니다'), async () => {
    const yes = await confirm({
      title: t('판매 재개'),
      action: t('판매 재개'),
      body: t(
        '티켓 명단을 체인에서 다시 만들었습니다. 변경 기록을 확인했다면 판매와 추첨을 다시 열 수 있습니다.',
      ),
    })
    if (!yes) return
    await call(() => api.raffle.resume.post())
    showToast(t('판매를 재개했습니다'), t('구매와 추첨이 다시 열렸습니다.'), 'good')
    await loadEvent()
  })
  if (!event?.isHalted) return null
  return (
    <Note
      tone="bad"
      role="alert"
      action={
        <Button writes size="small" isBusy={isBusy} onClick={() => void resume()}>
          {t('판매 재개')}
        </Button>
      }
    >
      <b>{t('판매가 멈춰 있습니다.')}</b> {t('이미 읽은 블록이 바뀌어 티켓 명단을 다시 만들었습니다.')}{' '}
      {t('공개 변경 기록에 남았습니다.')}
    </Note>
  )
}
