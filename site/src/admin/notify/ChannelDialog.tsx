import { useState } from 'react'
import type { Body } from '../../shell/answers.ts'
import { Row, Stack } from '../../shell/Layout.tsx'
import { language } from '../language/language.ts'
import { t } from '../language/t.ts'
import { api } from '../session/api.ts'
import { call, refusedField } from '../session/session.ts'
import type { Channel } from '../session/types.ts'
import { useAct } from '../ui/action.tsx'
import { Button } from '../ui/Button.tsx'
import { Dialog, DialogActions } from '../ui/Dialog.tsx'
import { errorText } from '../ui/error-text.ts'
import { TextField } from '../ui/Field.tsx'
import { Select } from '../ui/select.tsx'

type NewChannel = Body<'post', '/api/admin/channels'>

const names = {
  webhook: ['url', 'signingKey'],
  email: ['host', 'port', 'user', 'password', 'from', 'to'],
} as const
type Name = 'name' | (typeof names)[Channel['kind']][number]
/** As it is typed. */
type Draft = Record<Name, string>

const empty: Draft = {
  ...{ name: '', url: '', signingKey: '', host: '', port: '465' },
  ...{ user: '', password: '', from: '', to: '' },
}

const fields: Record<Name, { label: string; hint?: string; placeholder?: string }> = {
  name: { label: t('이름'), placeholder: t('운영팀') },
  url: {
    label: t('받는 주소 (URL)'),
    placeholder: 'https://api.telegram.org/bot123:ABC/sendMessage?chat_id=-100123',
    hint: t(
      'https만 쓸 수 있고, 5초 안에 2xx로 답해야 합니다. 텔레그램 봇도 이 형식의 주소로 받습니다. 저장한 뒤에는 다시 볼 수 없습니다.',
    ),
  },
  signingKey: {
    label: t('서명 키 (Standard Webhooks)'),
    placeholder: 'whsec_…',
    hint: t('받는 쪽이 서명을 확인할 때만 입력하세요.'),
  },
  host: { label: t('메일 서버'), placeholder: 'smtp.example.com' },
  port: { label: t('포트'), hint: t('465는 TLS, 25와 587, 2525는 STARTTLS로 연결합니다.') },
  user: { label: t('사용자'), hint: t('로그인하지 않는 서버면 비워 두세요.') },
  password: { label: t('비밀번호') },
  from: { label: t('보내는 주소'), placeholder: 'raffle@example.com' },
  to: { label: t('받는 주소'), hint: t('여러 주소는 쉼표로 나눕니다. 10개까지.') },
}

/** A new channel. One that is there is not changed: its secret was shown to nobody, and whom it reaches is told if it goes. */
export function ChannelDialog({ onClose, onSaved }: { onClose: () => void; onSaved: () => Promise<void> }) {
  const [kind, setKind] = useState<Channel['kind']>('email')
  const [spoken, setSpoken] = useState<Channel['language']>(language)
  const [draft, setDraft] = useState(empty)
  const [wrong, setWrong] = useState<{ at: string; text: string }>()
  const [save, isBusy] = useAct(
    {
      failure: t('알림 채널을 저장하지 못했습니다'),
      async run() {
        setWrong(undefined)
        try {
          await call(() => api.channels.post(bodyOf(kind, spoken, draft)))
        } catch (error) {
          const at = refusedField(error, 'name', 'webhook', 'email')
          if (at) setWrong({ at: shownAt[at], text: errorText(error, '') })
          throw error
        }
      },
      told: () => [t('알림 채널을 저장했습니다'), t('시험 전송으로 확인해보세요.')],
    },
    async () => {
      await onSaved()
      onClose()
    },
  )
  const field = (name: Name) => (
    <TextField
      key={name}
      {...fields[name]}
      {...(name === 'password'
        ? { type: 'password', autoComplete: 'new-password' }
        : { autoComplete: 'off' })}
      autoCapitalize="off"
      spellCheck={false}
      value={draft[name]}
      onChange={(text) => setDraft({ ...draft, [name]: text })}
      error={wrong?.at === name ? wrong.text : undefined}
      isMono={name !== 'name'}
    />
  )
  return (
    <Dialog title={t('알림 채널 추가')} onClose={onClose}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <Stack>
          <Row>
            <Select isLabelled label={t('종류')} value={kind} options={channelKinds} onChange={setKind} />
            <Select
              isLabelled
              label={t('알림 언어')}
              value={spoken}
              options={[
                ['ko', t('한국어')],
                ['en', 'English'],
              ]}
              onChange={setSpoken}
            />
          </Row>
          {field('name')}
          {names[kind].map(field)}
        </Stack>
        <DialogActions>
          <Button tone="edged" onClick={onClose}>
            {t('취소')}
          </Button>
          <Button type="submit" isBusy={isBusy}>
            {t('저장')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

export const channelKinds: [Channel['kind'], string][] = [
  ['email', t('이메일')],
  ['webhook', t('웹훅')],
]
/** The field that shows what the server said of a part. */
const shownAt = { name: 'name', webhook: 'url', email: 'host' }

function bodyOf(kind: Channel['kind'], spoken: Channel['language'], draft: Draft): NewChannel {
  const { name, url, signingKey, host, port, user, password, from, to } = draft
  const common = { name, language: spoken }
  if (kind === 'webhook') return { ...common, webhook: { url, ...(signingKey && { signingKey }) } }
  const login = { ...(user && { user }), ...(password && { password }) }
  const addresses = to.split(',').flatMap((one) => one.trim() || [])
  const security = port.trim() === '465' ? ('tls' as const) : ('starttls' as const)
  const settings = { host, port: Number(port), security, from, to: addresses }
  return { ...common, email: { ...settings, ...login } }
}
