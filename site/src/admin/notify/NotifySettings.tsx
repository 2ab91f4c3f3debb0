import plusIcon from 'lucide-static/icons/plus.svg?raw'
import { useState } from 'react'
import type { Body } from '../../shell/answers.ts'
import { Pair, Row } from '../../shell/Layout.tsx'
import { language, t, words } from '../language/t.ts'
import { AdminError, api, type Channel, call } from '../session/session.ts'
import { type Action, Button } from '../ui/action.tsx'
import { Badge, Folded } from '../ui/card.tsx'
import { errorText } from '../ui/error-text.ts'
import { choice, text } from '../ui/fields.tsx'
import { Fields, FormDialog, useDraft } from '../ui/form.tsx'
import { count } from '../ui/format.ts'
import { type Column, List } from '../ui/list.tsx'
import { useResource } from '../ui/resource.tsx'

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
        <Badge tone="plain">{channelKinds[kind]}</Badge>
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
            <Badge tone="bad">{t('실패')}</Badge> {words.channelProblems[problem]}
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
    body: t('{name}에는 이 삭제를 마지막으로 더 이상 알리지 않습니다.', { name }),
  }),
  run: ({ id }) => call(() => api.channels({ id }).delete()),
  told: ({ name }) => [t('알림 채널을 삭제했습니다'), name],
  writes: true,
  tone: 'danger-edged',
}

type NewChannel = Body<'post', '/api/admin/channels'>
type Language = Channel['language']

const channelKinds: Record<Channel['kind'], string> = { email: t('이메일'), webhook: t('웹훅') }
const languages: Record<Language, string> = { ko: t('한국어'), en: 'English' }

const own = {
  webhook: ['url', 'signingKey'],
  email: ['host', 'port', 'user', 'password', 'from', 'to'],
} as const
const line = (label: string, more: { hint?: string; placeholder?: string; type?: string } = {}) =>
  text({ label, autoCapitalize: 'off', isMono: true, ...more })

const fields = {
  kind: choice({ label: t('종류'), options: channelKinds }),
  language: choice({ label: t('알림 언어'), options: languages }),
  name: text({ label: t('이름'), placeholder: t('운영팀'), autoCapitalize: 'off' }),
  url: line(t('받는 주소 (URL)'), {
    placeholder: 'https://api.telegram.org/bot123:ABC/sendMessage?chat_id=-100123',
    hint: t(
      'https만 쓸 수 있고, 5초 안에 2xx로 답해야 합니다. 텔레그램 봇도 이 형식의 주소로 받습니다. 저장한 뒤에는 다시 볼 수 없습니다.',
    ),
  }),
  signingKey: line(t('서명 키 (Standard Webhooks)'), {
    placeholder: 'whsec_…',
    hint: t('받는 쪽이 서명을 확인할 때만 입력하세요.'),
  }),
  host: line(t('메일 서버'), { placeholder: 'smtp.example.com' }),
  port: line(t('포트'), { hint: t('465는 TLS, 25와 587, 2525는 STARTTLS로 연결합니다.') }),
  user: line(t('사용자'), { hint: t('로그인하지 않는 서버면 비워 두세요.') }),
  password: text({ label: t('비밀번호'), type: 'password', autoComplete: 'new-password', isMono: true }),
  from: line(t('보내는 주소'), { placeholder: 'raffle@example.com' }),
  to: line(t('받는 주소'), { hint: t('여러 주소는 쉼표로 나눕니다. 10개까지.') }),
}
type Typed = Partial<Record<keyof typeof fields, string | null>>

function ChannelDialog({ onClose, onSaved }: { onClose: () => void; onSaved: () => Promise<void> }) {
  const form = useDraft({
    isSent: true,
    isWhole: true,
    saved: { kind: 'email', language, port: '465' },
    fields,
    save: ({ kind = 'email', language = 'ko', ...typed }) =>
      call(() => api.channels.post(bodyOf(kind, language, typed))),
    failure: t('알림 채널을 저장하지 못했습니다'),
    blame: (error): Record<string, string> => {
      const at = error instanceof AdminError && shownAt[error.field ?? '']
      return at ? { [at]: errorText(error, '') } : {}
    },
    told: () => [t('알림 채널을 저장했습니다'), t('시험 전송으로 확인해보세요.')],
    done: () => onSaved().then(onClose),
  })
  return (
    <FormDialog of={form} title={t('알림 채널 추가')} action={t('저장')} onClose={onClose}>
      <Pair>
        <Fields of={form} names={['kind', 'language']} />
      </Pair>
      <Fields of={form} names={['name', ...own[form.draft.kind]]} />
    </FormDialog>
  )
}

const shownAt: Partial<Record<string, string>> = { name: 'name', webhook: 'url', email: 'host' }

function bodyOf(kind: Channel['kind'], language: Language, typed: Typed): NewChannel {
  const { signingKey, user, password } = typed
  const written = (name: keyof Typed) => typed[name] ?? ''
  const common = { name: written('name'), language }
  if (kind === 'webhook')
    return { ...common, webhook: { url: written('url'), ...(signingKey && { signingKey }) } }
  const login = { ...(user && { user }), ...(password && { password }) }
  const to = written('to')
    .split(',')
    .flatMap((one) => one.trim() || [])
  const port = Number(written('port'))
  const security = port === 465 ? ('tls' as const) : ('starttls' as const)
  return { ...common, email: { host: written('host'), port, security, from: written('from'), to, ...login } }
}
