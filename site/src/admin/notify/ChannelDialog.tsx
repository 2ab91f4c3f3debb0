import type { Body } from '../../shell/answers.ts'
import { Row } from '../../shell/Layout.tsx'
import { language } from '../language/language.ts'
import { t } from '../language/t.ts'
import { api } from '../session/api.ts'
import { call, refusedField } from '../session/session.ts'
import type { Channel } from '../session/types.ts'
import { errorText } from '../ui/error-text.ts'
import { custom, text } from '../ui/fields.tsx'
import { Fields, FormDialog, useDraft } from '../ui/form.tsx'
import { Select } from '../ui/select.tsx'

type NewChannel = Body<'post', '/api/admin/channels'>
type Language = Channel['language']

const own = {
  webhook: ['url', 'signingKey'],
  email: ['host', 'port', 'user', 'password', 'from', 'to'],
} as const
const line = (label: string, more: { hint?: string; placeholder?: string; type?: string } = {}) =>
  text({ label, autoCapitalize: 'off', isMono: true, ...more })

const fields = {
  kind: custom({
    label: t('종류'),
    show: (saved) => saved as Channel['kind'],
    read: (value) => ({ value }),
    draw: ({ value, set }) => (
      <Select isLabelled label={t('종류')} value={value} options={channelKinds} onChange={set} />
    ),
  }),
  language: custom({
    label: t('알림 언어'),
    show: (saved) => saved as Language,
    read: (value) => ({ value }),
    draw: ({ value, set }) => (
      <Select isLabelled label={t('알림 언어')} value={value} options={languages} onChange={set} />
    ),
  }),
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

/** A new channel. One that is there is not changed: its secret was shown to nobody, and whom it reaches is told if it goes. */
export function ChannelDialog({ onClose, onSaved }: { onClose: () => void; onSaved: () => Promise<void> }) {
  const form = useDraft({
    isSent: true,
    isWhole: true,
    saved: { kind: 'email', language, port: '465' },
    fields,
    save: ({ kind = 'email', language = 'ko', ...typed }) =>
      call(() => api.channels.post(bodyOf(kind, language, typed))),
    failure: t('알림 채널을 저장하지 못했습니다'),
    blame: (error) => {
      const at = refusedField(error, 'name', 'webhook', 'email')
      return at ? { [shownAt[at]]: errorText(error, '') } : {}
    },
    told: () => [t('알림 채널을 저장했습니다'), t('시험 전송으로 확인해보세요.')],
    done: () => onSaved().then(onClose),
  })
  return (
    <FormDialog of={form} title={t('알림 채널 추가')} action={t('저장')} onClose={onClose}>
      <Row>
        <Fields of={form} names={['kind', 'language']} />
      </Row>
      <Fields of={form} names={['name', ...own[form.draft.kind]]} />
    </FormDialog>
  )
}

export const channelKinds: [Channel['kind'], string][] = [
  ['email', t('이메일')],
  ['webhook', t('웹훅')],
]
const languages: [Language, string][] = [
  ['ko', t('한국어')],
  ['en', 'English'],
]
/** The field that shows what the server said of a part. */
const shownAt = { name: 'name', webhook: 'url', email: 'host' }

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
  return {
    ...common,
    email: { host: written('host'), port, security, from: written('from'), to, ...login },
  }
}
