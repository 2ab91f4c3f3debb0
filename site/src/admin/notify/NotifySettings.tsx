import plusIcon from 'lucide-static/icons/plus.svg?raw'
import { useState } from 'react'
import { Row } from '../../shell/Layout.tsx'
import { t } from '../language/t.ts'
import { api } from '../session/api.ts'
import { call } from '../session/session.ts'
import type { Channel } from '../session/types.ts'
import type { Action } from '../ui/action.tsx'
import { Badge } from '../ui/Badge.tsx'
import { Button } from '../ui/Button.tsx'
import { Folded } from '../ui/card.tsx'
import { type Column, List } from '../ui/list.tsx'
import { count } from '../ui/numbers.ts'
import { useResource } from '../ui/resource.tsx'
import { ChannelDialog, channelKinds } from './ChannelDialog.tsx'

/** Who is told what happens, and whether it arrives. */
export function NotifySettings() {
  const channels = useResource(() => call(() => api.channels.get()))
  const [isAdding, setAdding] = useState(false)
  const all = channels.data ?? []
  return (
    <Folded
      id="notify"
      title={t('알림')}
      state={
        channels.data && (
          <Badge tone={all.length === 0 ? 'held' : all.some(({ problem }) => problem) ? 'bad' : 'ok'}>
            {all.length === 0 ? t('없음') : t('{count}개', { count: count(all.length) })}
          </Badge>
        )
      }
      reason={t('결제와 추첨, 환불, 로그인, 지갑과 관리자 변경을 모든 채널에 알립니다.')}
      isOpen={channels.data !== undefined && (all.length === 0 || all.some(({ problem }) => problem))}
    >
      <List<Channel>
        label={t('알림 채널')}
        from={channels}
        idOf={({ id }) => `${id}`}
        columns={columns}
        actions={[test, remove]}
        foot={
          <Button writes size="small" icon={plusIcon} onClick={() => setAdding(true)}>
            {t('채널 추가')}
          </Button>
        }
        empty={t('알림 채널이 없습니다.')}
        hint={t('채널을 추가하면 추첨할 때나 문제가 생겼을 때 바로 알 수 있습니다.')}
      />
      {isAdding && <ChannelDialog onClose={() => setAdding(false)} onSaved={channels.reload} />}
    </Folded>
  )
}

const columns: Column<Channel>[] = [
  {
    name: t('이름'),
    place: 'lead',
    cell: ({ name, kind }) => (
      <Row as="span" gap={8}>
        <b className="break">{name}</b>
        <Badge tone="plain">{new Map(channelKinds).get(kind)}</Badge>
      </Row>
    ),
  },
  { name: t('받는 곳'), cell: ({ target }) => <span className="figure break">{target}</span> },
  {
    name: t('상태'),
    cell: ({ waiting, problem }) => (
      <>
        {waiting > 0 && <Badge tone="wait">{t('대기 {waiting}', { waiting: count(waiting) })}</Badge>}{' '}
        {problem && (
          <>
            <Badge tone="bad">{t('실패')}</Badge> {problemTexts[problem]}
          </>
        )}
      </>
    ),
  },
]

const test: Action<Channel, { state: string }> = {
  name: t('시험 전송'),
  failure: t('시험 알림을 보내지 못했습니다'),
  run: ({ id }) => call(() => api.channels({ id }).test.post()),
  told({ name }, { state }) {
    if (state === 'sent') return [t('시험 알림이 전달되었습니다'), name]
    return state === 'waiting'
      ? [t('시험 알림을 보내고 있습니다'), t('아직 보내는 중입니다. 잠시 뒤 새로 읽어보세요.')]
      : undefined
  },
  writes: true,
}
const remove: Action<Channel> = {
  name: t('삭제'),
  failure: t('알림 채널을 삭제하지 못했습니다'),
  ask: ({ name }) => ({
    title: t('알림 채널 삭제'),
    tone: 'danger',
    action: t('삭제'),
    body: t('{name}에는 이 삭제를 마지막으로 더 이상 알리지 않습니다.', { name }),
  }),
  run: ({ id }) => call(() => api.channels({ id }).delete()),
  told: ({ name }) => [t('알림 채널을 삭제했습니다'), name],
  writes: true,
  tone: 'danger-edged',
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
  not_allowed: t(
    '받는 쪽이 들어오지 못하게 합니다 (401, 403). 봇을 대화방에 다시 초대하거나 채널을 새로 만드세요.',
  ),
  throttled: t('받는 쪽이 기다려 달라고 합니다 (429). 저절로 다시 보냅니다.'),
  chat_moved: t('텔레그램 그룹의 chat_id가 바뀌었습니다. 새 chat_id로 채널을 새로 만드세요.'),
  status_4xx: t('받는 쪽이 거절했습니다 (4xx).'),
  status_5xx: t('받는 쪽에 오류가 있습니다 (5xx).'),
  greeting_refused: t(
    '메일 서버가 인사 단계에서 연결을 끊었습니다. 이 서버의 IP 주소가 허용되어 있는지, PUBLIC_SITE_URL이 맞는지 확인하세요.',
  ),
  login_refused: t('메일 서버 로그인이 거절되었습니다.'),
  recipient_refused: t('메일 서버가 보내는 주소나 받는 주소를 거절했습니다.'),
  failed: t('보내지 못했습니다. 작업 서버의 로그를 확인하세요.'),
}
