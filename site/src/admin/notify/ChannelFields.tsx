import { Button } from '../frame/Button.tsx'
import { Field, TextField } from '../frame/Field.tsx'
import rowStyles from '../frame/Rows.module.css'
import type { Channel } from '../frame/types.ts'
import { t } from '../language/t.ts'
import { type ChannelDraft, keepsSecret, newSigningKey, type Wrong } from './channel-form.ts'
import styles from './Notify.module.css'

type Props = {
  draft: ChannelDraft
  wrong: Wrong
  channel: Channel | undefined
  onChange: (part: Partial<ChannelDraft>) => void
}

/** Where it goes, and the secret that goes with it: what each kind of channel asks for. */
export function ChannelFields(props: Props) {
  switch (props.draft.kind) {
    case 'webhook':
      return <WebhookFields {...props} />
    case 'telegram':
      return <TelegramFields {...props} />
    case 'email':
      return <EmailFields {...props} />
  }
}

const keptHint = t('비워 두면 저장된 값을 그대로 씁니다.')
const plain = { autoComplete: 'off', autoCapitalize: 'off', spellCheck: false } as const

/** A secret is never shown again: where one is kept, an empty field leaves it as it is. */
function SecretField({
  draft,
  wrong,
  channel,
  onChange,
  label,
  hint,
}: Props & { label: string; hint: string | undefined }) {
  const isKept = draft.secret === '' && keepsSecret(draft, channel)
  return (
    <TextField
      label={label}
      type="password"
      autoComplete="new-password"
      value={draft.secret}
      onChange={(secret) => onChange({ secret })}
      error={wrong.secret}
      hint={isKept ? keptHint : hint}
      isMono
    />
  )
}

function WebhookFields({ draft, wrong, channel, onChange }: Props) {
  return (
    <>
      <TextField
        {...plain}
        label={t('받는 주소 (URL)')}
        type="url"
        inputMode="url"
        placeholder="https://…"
        value={draft.url}
        onChange={(url) => onChange({ url })}
        error={wrong.url}
        hint={t(
          'https만 쓸 수 있습니다. 5초 안에 2xx로 답해야 하고, 내부망 주소와 리디렉션은 실패로 봅니다.',
        )}
        isMono
      />
      <TextField
        {...plain}
        label={t('서명 키 (Standard Webhooks)')}
        placeholder="whsec_…"
        value={draft.secret}
        onChange={(secret) => onChange({ secret })}
        error={wrong.secret}
        hint={
          draft.secret === '' && keepsSecret(draft, channel)
            ? keptHint
            : t('받는 쪽에도 같은 키를 넣으세요. 저장한 뒤에는 다시 볼 수 없습니다.')
        }
        isMono
      />
      <div>
        <Button tone="edged" size="small" onClick={() => onChange({ secret: newSigningKey() })}>
          {t('새 서명 키 만들기')}
        </Button>
      </div>
    </>
  )
}

function TelegramFields(props: Props) {
  const { draft, wrong, onChange } = props
  return (
    <>
      <TextField
        {...plain}
        label={t('대화 ID')}
        placeholder="-1001234567890"
        value={draft.chatId}
        onChange={(chatId) => onChange({ chatId })}
        error={wrong.chatId}
        hint={t('봇이 들어 있는 대화나 채널의 번호, 또는 @이름입니다.')}
        isMono
      />
      <SecretField
        {...props}
        label={t('봇 토큰')}
        hint={t('BotFather가 알려 준 값입니다. 저장한 뒤에는 다시 볼 수 없습니다.')}
      />
    </>
  )
}

function EmailFields(props: Props) {
  const { draft, wrong, channel, onChange } = props
  return (
    <>
      <TextField
        {...plain}
        label={t('메일 서버')}
        placeholder="smtp.example.com"
        value={draft.host}
        onChange={(host) => onChange({ host })}
        error={wrong.host}
        isMono
      />
      <div className={rowStyles.pair}>
        <TextField
          {...plain}
          label={t('포트')}
          inputMode="numeric"
          value={draft.port}
          onChange={(port) => onChange({ port })}
          error={wrong.port}
          hint="25, 465, 587, 2525"
          isMono
        />
        <Field label={t('보안 연결')}>
          {(ids) => (
            <select
              {...ids}
              className={`input ${styles.select}`}
              value={draft.security}
              onChange={({ target }) => onChange({ security: target.value as ChannelDraft['security'] })}
            >
              <option value="tls">TLS</option>
              <option value="starttls">STARTTLS</option>
              <option value="none">{t('없음 (이 컴퓨터만)')}</option>
            </select>
          )}
        </Field>
      </div>
      <div className={rowStyles.pair}>
        <TextField
          {...plain}
          label={t('사용자')}
          value={draft.user}
          onChange={(user) => onChange({ user })}
          error={wrong.user}
          hint={t('로그인하지 않는 서버면 비워 두세요.')}
        />
        <SecretField
          {...props}
          label={t('비밀번호')}
          hint={channel && t('서버나 사용자를 바꾸면 다시 입력해야 합니다.')}
        />
      </div>
      <TextField
        {...plain}
        label={t('보내는 주소')}
        type="email"
        placeholder="raffle@example.com"
        value={draft.from}
        onChange={(from) => onChange({ from })}
        error={wrong.from}
      />
      <TextField
        {...plain}
        label={t('받는 주소')}
        placeholder="owner@example.com, second@example.com"
        value={draft.to}
        onChange={(to) => onChange({ to })}
        error={wrong.to}
        hint={t('여러 주소는 쉼표로 나눕니다. 10개까지.')}
      />
    </>
  )
}
