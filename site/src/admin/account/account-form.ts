import { t } from '../language/t.ts'
import { changeCredentials } from '../session/session.ts'
import { text } from '../ui/fields.tsx'

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

/** After a login with a printed password only a new one is asked for, and it cannot stay the same. */
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

/** Only what was typed is sent. */
export const saveAccount = ({ currentPassword, newUsername, newPassword }: Typed) =>
  changeCredentials({
    currentPassword: currentPassword ?? '',
    ...(newUsername && { newUsername }),
    ...(newPassword && { newPassword }),
  })
