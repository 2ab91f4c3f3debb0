import { useState } from 'react'
import { showToast } from '../../shell/toast.ts'
import { api } from '../frame/api.ts'
import { Badge } from '../frame/Badge.tsx'
import { Button } from '../frame/Button.tsx'
import { confirm } from '../frame/confirm.ts'
import { count } from '../frame/numbers.ts'
import { call } from '../frame/session.ts'
import type { Channel, Delivery } from '../frame/types.ts'
import { useAction } from '../frame/use-action.ts'
import { t } from '../language/t.ts'
import styles from './Notify.module.css'
import { channelKindTexts, noticeTexts, problemTexts } from './texts.ts'

type Props = {
  channels: readonly Channel[]
  onEdit: (channel: Channel) => void
  /** Something was sent or removed. */
  onChanged: () => Promise<void>
}

export function ChannelList({ channels, onEdit, onChanged }: Props) {
  return (
    <ul className={`rows ${styles.channels}`} aria-label={t('알림 채널')}>
      {channels.map((channel) => (
        <Row key={channel.id} channel={channel} onEdit={() => onEdit(channel)} onChanged={onChanged} />
      ))}
    </ul>
  )
}

function Row({
  channel,
  onEdit,
  onChanged,
}: Pick<Props, 'onChanged'> & { channel: Channel; onEdit: () => void }) {
  const { id, kind, name, enabled, events, waiting, givenUp } = channel
  const [tested, setTested] = useState<Delivery>()
  const [test, isTesting] = useAction(t('시험 알림을 보내지 못했습니다'), async () => {
    setTested(undefined)
    setTested(await call(() => api.channels({ id }).test.post()))
    await onChanged()
  })
  const [remove, isRemoving] = useAction(t('알림 채널을 삭제하지 못했습니다'), async () => {
    const yes = await confirm({
      title: t('알림 채널 삭제'),
      tone: 'danger',
      action: t('삭제'),
      body: t(
        '{name}에는 더 이상 알리지 않습니다. 저장된 비밀 값과 아직 보내지 못한 알림도 함께 지워집니다.',
        { name },
      ),
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
        <Badge tone="plain">{channelKindTexts[kind]}</Badge>
        {!enabled && <Badge tone="held">{t('꺼짐')}</Badge>}
        {waiting > 0 && <Badge tone="wait">{t('대기 {waiting}', { waiting: count(waiting) })}</Badge>}
        {givenUp > 0 && <Badge tone="bad">{t('포기 {givenUp}', { givenUp: count(givenUp) })}</Badge>}
      </div>
      <div className={styles.buttons}>
        <Button need="channel.test" tone="edged" size="small" isBusy={isTesting} onClick={() => void test()}>
          {t('시험 전송')}
        </Button>
        <Button need="channel.change" tone="edged" size="small" onClick={onEdit}>
          {t('변경')}
        </Button>
        <Button
          need="channel.remove"
          tone="danger-edged"
          size="small"
          isBusy={isRemoving}
          onClick={() => void remove()}
        >
          {t('삭제')}
        </Button>
      </div>
      <p className={`${styles.target} figure`}>{targetOf(channel)}</p>
      <p className={styles.told} aria-live="polite">
        {tested ? <Tested delivery={tested} /> : <span className="hint">{eventsText(events)}</span>}
      </p>
    </li>
  )
}

function Tested({ delivery: { state, problem } }: { delivery: Delivery }) {
  if (state === 'sent') return <Badge tone="ok">{t('시험 알림이 전달되었습니다')}</Badge>
  if (state === 'waiting')
    return <Badge tone="wait">{t('아직 보내는 중입니다. 아래 목록에서 결과를 확인하세요.')}</Badge>
  return (
    <>
      <Badge tone="bad">{t('실패')}</Badge> {problem && problemTexts[problem]}
    </>
  )
}

function targetOf({ webhook, telegram, email }: Channel): string {
  if (email) return `${email.to.join(', ')} (${email.host}:${email.port})`
  return webhook?.url ?? telegram?.chatId ?? ''
}

const all = Object.keys(noticeTexts).length
const eventsText = (events: Channel['events']): string => {
  if (events.length === 0) return t('받는 알림 없음')
  return events.length === all ? t('모든 알림') : events.map((kind) => noticeTexts[kind]).join(', ')
}
