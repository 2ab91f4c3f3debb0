import { useStore } from '@nanostores/react'
import { Frame } from '../desk/Frame.tsx'
import { t } from '../language/t.ts'
import { $mustChange, $username, api, call, changeCredentials } from '../session/session.ts'
import { Button } from '../ui/action.tsx'
import { Badge, Fact, Group, Note, TextFact } from '../ui/card.tsx'
import { text } from '../ui/fields.tsx'
import { Fields, FormPlace, useDraft } from '../ui/form.tsx'
import { SaveBar } from '../ui/form-parts.tsx'
import { inWords } from '../ui/format.ts'
import { Loaded, useResource } from '../ui/resource.tsx'
import { openTab } from '../ui/tab.ts'

export function AccountTab() {
  const username = useStore($username) ?? ''
  const form = useDraft({
    fields: accountFields,
    save: saveAccount,
    failure: t('관리자 정보 변경에 실패했습니다'),
    told({ user }) {
      $username.set(user.username)
      return [t('관리자 정보를 변경했습니다'), t('다른 곳의 로그인은 모두 끝났습니다.')]
    },
    unchanged: t('새 사용자명 또는 새 비밀번호를 입력해주세요'),
  })
  return (
    <FormPlace of={form}>
      <AccountFacts username={username} />
      <Group
        title={t('새 정보')}
        reason={t('바꿀 것만 입력하세요. 변경하면 다른 기기의 로그인은 모두 끝납니다.')}
      >
        <Fields of={form} names={['newUsername', 'newPassword']} />
        {form.draft.newPassword !== '' && <Fields of={form} names={['confirmation']} />}
      </Group>
      <Group title={t('본인 확인')} reason={t('변경하려면 지금 쓰는 비밀번호가 필요합니다.')}>
        <Fields of={form} names={['currentPassword']} />
      </Group>
      <SaveBar of={form} label={t('정보 변경')} writes={false} />
    </FormPlace>
  )
}

function AccountFacts({ username }: { username: string }) {
  const facts = useResource(async () => {
    const [security, sessions] = await Promise.all([
      call(() => api.settings.get()),
      call(() => api.sessions.get()),
    ])
    const own = sessions.filter((session) => session.username === username)
    return { security, others: own.length - 1, current: sessions.find(({ isCurrent }) => isCurrent) }
  })
  return (
    <Group title={t('현재 계정')} reason={t('지금 이 기기에서 로그인한 관리자입니다.')}>
      <Loaded from={facts} rows={3}>
        {({ security, others, current }) => (
          <dl className="summary">
            <Fact name={t('사용자명')}>{username}</Fact>
            <TextFact name={t('로그인 (한국 시각)')}>
              {current ? inWords(current.createdAt) : t('알 수 없음')}
            </TextFact>
            <Fact name={t('로그인한 IP')}>{current?.clientAddress ?? security.ip}</Fact>
            <TextFact name={t('다른 기기의 로그인')}>
              {others > 0 ? t('{others}개', { others }) : t('없음')}
            </TextFact>
            <TextFact name={t('2단계 인증')}>
              <Badge tone={security.otpConfirmed ? 'ok' : 'held'}>
                {security.otpConfirmed ? t('OTP 설정됨') : t('OTP 설정 안 됨')}
              </Badge>
            </TextFact>
          </dl>
        )}
      </Loaded>
      <div>
        <Button tone="edged" size="small" onClick={() => openTab('security')}>
          {t('2단계 인증과 로그인 세션 관리')}
        </Button>
      </div>
    </Group>
  )
}

const password = (label: string, more: object = {}) =>
  text({ label, type: 'password', autoComplete: 'new-password', max: 128, ...more })

/** Must be typed once more; the server checks the strength of the password too. */
const newPassword = (more: object = {}) =>
  password(t('새 비밀번호'), {
    hint: t('8자 이상입니다. 15자 이상을 권합니다.'),
    check: (value: string | null) =>
      value !== null && value.length < 8 ? t('비밀번호는 8자 이상이어야 합니다') : undefined,
    ...more,
  })
const confirmation = password(t('새 비밀번호 확인'), {
  isAside: true,
  check: (value: string | null, { newPassword }: { newPassword?: unknown }) =>
    (value ?? '') === (newPassword ?? '') ? undefined : t('새 비밀번호가 일치하지 않습니다'),
})

/** @internal */
export const accountFields = {
  newUsername: text({
    label: t('새 사용자명'),
    name: t('사용자명'),
    autoComplete: 'username',
    autoCapitalize: 'off',
    max: 64,
    hint: t('영문, 숫자, . _ @ + - 을 쓸 수 있습니다.'),
  }),
  newPassword: newPassword({ name: t('비밀번호') }),
  confirmation,
  currentPassword: password(t('현재 비밀번호'), {
    autoComplete: 'current-password',
    isAside: true,
    missing: t('현재 비밀번호를 입력해주세요'),
  }),
}

/** After a login with a printed password only a new one is asked for, and it cannot stay the same. @internal */
export const firstFields = {
  currentPassword: password(t('일회용 비밀번호'), {
    autoComplete: 'current-password',
    hint: t('서버가 출력한 비밀번호입니다.'),
    isAside: true,
    missing: t('현재 비밀번호를 입력해주세요'),
  }),
  newPassword: newPassword({
    missing: t('새 비밀번호를 입력해주세요'),
    check: (value: string | null, { currentPassword }: { currentPassword?: unknown }) => {
      if ((value ?? '').length < 8) return t('비밀번호는 8자 이상이어야 합니다')
      return value === currentPassword ? t('일회용 비밀번호와 다른 비밀번호를 입력해주세요') : undefined
    },
  }),
  confirmation,
}

type Typed = Partial<Record<'currentPassword' | 'newUsername' | 'newPassword', string | null>>

const saveAccount = ({ currentPassword, newUsername, newPassword }: Typed) =>
  changeCredentials({
    currentPassword: currentPassword ?? '',
    ...(newUsername && { newUsername }),
    ...(newPassword && { newPassword }),
  })

export function FirstPassword({ onChanged }: { onChanged: () => Promise<void> }) {
  const form = useDraft({
    fields: firstFields,
    async save(typed) {
      await saveAccount(typed)
      $mustChange.set(false)
      await onChanged()
    },
    failure: t('비밀번호를 바꾸지 못했습니다'),
    told: () => [t('비밀번호를 바꿨습니다'), t('일회용 비밀번호는 더 이상 쓸 수 없습니다.')],
  })
  return (
    <Frame title={t('새 비밀번호 설정')}>
      <FormPlace of={form}>
        <Note role="status">
          <b>{t('일회용 비밀번호로 로그인했습니다.')}</b>{' '}
          {t(
            '새 비밀번호로 바꾸면 대시보드를 쓸 수 있습니다. 일회용 비밀번호는 만든 지 24시간이 지나면 쓸 수 없습니다.',
          )}
        </Note>
        <Group
          title={t('계정 비밀번호')}
          reason={t('이 계정만의 비밀번호를 정하세요. 다른 곳에서 쓰지 않는 것이 좋습니다.')}
        >
          <Fields of={form} names={['currentPassword', 'newPassword', 'confirmation']} />
          <div>
            <Button type="submit" isBusy={form.isBusy}>
              {t('비밀번호 변경')}
            </Button>
          </div>
        </Group>
      </FormPlace>
    </Frame>
  )
}
