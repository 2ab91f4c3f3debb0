import plusIcon from 'lucide-static/icons/plus.svg?raw'
import { useState } from 'react'
import { showToast } from '../../shell/toast.ts'
import { t } from '../language/t.ts'
import { api } from '../session/api.ts'
import { call } from '../session/session.ts'
import type { Channel } from '../session/types.ts'
import { Empty, Loaded } from '../ui/AsyncView.tsx'
import { Badge } from '../ui/Badge.tsx'
import { Button } from '../ui/Button.tsx'
import { confirm } from '../ui/confirm.ts'
import { ListCard } from '../ui/Group.tsx'
import { count } from '../ui/numbers.ts'
import { useAction } from '../ui/use-action.ts'
import { useResource } from '../ui/use-resource.ts'
import { ChannelDialog, channelKinds } from './ChannelDialog.tsx'
import styles from './Notify.module.css'

/** Who is told what happens, and whether it arrives. */
export function NotifySettings() {
  const channels = useResource(() => call(() => api.channels.get()))
  const [isAdding, setAdding] = useState(false)
  return (
    <div id="notify">
      <ListCard
        title={t('알림')}
        reason={t('결제와 추첨, 환불, 로그인, 지갑과 관리자 변경을 모든 채널에 알립니다.')}
        actions={
          <Button writes size="small" icon={plusIcon} onClick={() => setAdding(true)}>
            {t('채널 추가')}
          </Button>
        }
      >
        <Loaded from={channels} rows={2}>
          {(list) =>
            list.length === 0 ? (
              <Empty title={t('알림 채널이 없습니다.')}>
                {t('채널을 추가하면 추첨할 때나 문제가 생겼을 때 바로 알 수 있습니다.')}
              </Empty>
            ) : (
              <ul className={`rows ${styles.channels}`} aria-label={t('알림 채널')}>
                {list.map((channel) => (
                  <Row key={channel.id} channel={channel} onChanged={channels.reload} />
                ))}
              </ul>
            )
          }
        </Loaded>
      </ListCard>
      {isAdding && <ChannelDialog onClose={() => setAdding(false)} onSaved={channels.reload} />}
    </div>
  )
}

function Row({ channel, onChanged }: { channel: Channel; onChanged: () => Promise<void> }) {
  const { id, kind, name, target, waiting, problem } = channel
  const [isSlow, setSlow] = useState(false)
  const [test, isTesting] = useAction(t('시험 알림을 보내지 못했습니다'), async () => {
    const { state } = await call(() => api.channels({ id }).test.post())
    if (state === 'sent') showToast(t('시험 알림이 전달되었습니다'), name, 'good')
    setSlow(state === 'waiting')
    await onChanged()
  })
  const [remove, isRemoving] = useAction(t('알림 채널을 삭제하지 못했습니다'), async () => {
    const yes = await confirm({
      title: t('알림 채널 삭제'),
      tone: 'danger',
      action: t('삭제'),
      body: t('{name}에는 이 삭제를 마지막으로 더 이상 알리지 않습니다.', { name }),
    })
    if (!yes) return
    await call(() => api.channels({ id }).delete())
    showToast(t('알림 채널을 삭제했습니다'), name, 'good')
    await onChanged()
  })
  return (
    <li>
      <div className={styles.name}>
        <b className="break">{name}</b>
        <Badge tone="plain">{new Map(channelKinds).get(kind)}</Badge>
        {waiting > 0 && <Badge tone="wait">{t('대기 {waiting}', { waiting: count(waiting) })}</Badge>}
      </div>
      <div className={styles.buttons}>
        <Button writes tone="edged" size="small" isBusy={isTesting} onClick={() => void test()}>
          {t('시험 전송')}
        </Button>
        <Button writes tone="danger-edged" size="small" isBusy={isRemoving} onClick={() => void remove()}>
          {t('삭제')}
        </Button>
      </div>
      <p className={`${styles.target} figure`}>{target}</p>
      <p className={styles.told} aria-live="polite">
        {isSlow && <Badge tone="wait">{t('아직 보내는 중입니다. 잠시 뒤 새로 읽어보세요.')}</Badge>}
        {problem && (
          <>
            <Badge tone="bad">{t('실패')}</Badge> {problemTexts[problem]}
          </>
        )}
      </p>
    </li>
  )
}

/** What went wrong at the last try, and where that does not say it, what to do. */
const problemTexts: Record<NonNullable<Channel['problem']>, string> = {
  secret_unreadable: t(
    '저장된 비밀 값을 읽을 수 없습니다. 작업 서버의 SECRET_KEY를 확인하거나 채널을 새로 만드세요.',
  ),
  private_address: t('내부망 주소에는 보내지 않습니다.'),
  unreachable: t('서버에 연결할 수 없습니다.'),
  tls: t('보안 연결(인증서)을 확인할 수 없습니다.'),
  timeout: t('정해진 시간 안에 응답이 없었습니다.'),
  redirect: t('다른 주소로 넘기는 응답입니다. 최종 주소를 입력하세요.'),
  status_4xx: t('받는 쪽이 거절했습니다 (4xx).'),
  status_5xx: t('받는 쪽에 오류가 있습니다 (5xx).'),
  login_refused: t('메일 서버 로그인이 거절되었습니다.'),
  recipient_refused: t('메일 서버가 보내는 주소나 받는 주소를 거절했습니다.'),
  failed: t('보내지 못했습니다. 작업 서버의 로그를 확인하세요.'),
}
