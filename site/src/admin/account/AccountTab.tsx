import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { showToast } from '../../shell/toast.ts'
import { t } from '../language/t.ts'
import { $username, changeCredentials, isRefusal, refusedField } from '../session/session.ts'
import { useAction } from '../ui/action.tsx'
import { Group } from '../ui/card.tsx'
import { errorText } from '../ui/error-text.ts'
import { TextField } from '../ui/Field.tsx'
import { focusWrong } from '../ui/focus-wrong.ts'
import panelStyles from '../ui/panel.module.css'
import { SaveBar } from '../ui/SaveBar.tsx'
import { AccountFacts } from './AccountFacts.tsx'
import styles from './AccountTab.module.css'
import { type AccountErrors, type AccountValues, emptyAccount, wrongAccount } from './account-form.ts'

export function AccountTab() {
  const username = useStore($username) ?? ''
  const [values, setValues] = useState(emptyAccount)
  const [touched, setTouched] = useState<ReadonlySet<keyof AccountValues>>(new Set())
  const [refused, setRefused] = useState<AccountErrors>({})
  const wrong = wrongAccount(values)
  const shown: AccountErrors = {
    ...Object.fromEntries(Object.entries(wrong).filter(([name]) => touched.has(name as keyof AccountValues))),
    ...refused,
  }
  const edit = (name: keyof AccountValues) => (value: string) => {
    setValues({ ...values, [name]: value })
    setTouched(new Set([...touched, name]))
    setRefused({})
  }
  const [save, isBusy] = useAction(t('관리자 정보 변경에 실패했습니다'), async () => {
    const { currentPassword, newUsername, newPassword } = values
    const body = {
      currentPassword,
      ...(newUsername.trim() && { newUsername: newUsername.trim() }),
      ...(newPassword && { newPassword }),
    }
    try {
      const { user } = await changeCredentials(body)
      $username.set(user.username)
      forget()
      showToast(t('관리자 정보를 변경했습니다'), t('다른 곳의 로그인은 모두 끝났습니다.'), 'good')
    } catch (error) {
      const text = errorText(error, t('변경하지 못했습니다.'))
      if (isRefusal(error, 'WRONG_PASSWORD')) setRefused({ currentPassword: text })
      if (isRefusal(error, 'WEAK_PASSWORD')) setRefused({ newPassword: text })
      const field = refusedField(error, 'currentPassword', 'newUsername', 'newPassword')
      if (field) setRefused({ [field]: text })
      throw error
    }
  })
  const changes = [
    ...(values.newUsername.trim() ? [t('사용자명')] : []),
    ...(values.newPassword ? [t('비밀번호')] : []),
  ]
  const forget = () => {
    setValues(emptyAccount)
    setTouched(new Set())
    setRefused({})
  }
  return (
    <form
      className={panelStyles.stack}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        setTouched(new Set(['currentPassword', 'newUsername', 'newPassword', 'confirmation']))
        if (Object.keys(wrong).length > 0) focusWrong(event.currentTarget)
        else void save()
      }}
    >
      <AccountFacts username={username} />
      <Group
        title={t('새 정보')}
        reason={t('바꿀 것만 입력하세요. 변경하면 다른 기기의 로그인은 모두 끝납니다.')}
      >
        <div className={styles.fields}>
          <TextField
            label={t('새 사용자명')}
            autoComplete="username"
            autoCapitalize="off"
            spellCheck={false}
            maxLength={64}
            placeholder={username}
            value={values.newUsername}
            onChange={edit('newUsername')}
            error={shown.newUsername}
            hint={t('영문, 숫자, . _ @ + - 을 쓸 수 있습니다.')}
          />
          <TextField
            label={t('새 비밀번호')}
            type="password"
            autoComplete="new-password"
            maxLength={128}
            value={values.newPassword}
            onChange={edit('newPassword')}
            error={shown.newPassword}
            hint={t('8자 이상입니다. 15자 이상을 권합니다.')}
          />
          {values.newPassword !== '' && (
            <TextField
              label={t('새 비밀번호 확인')}
              type="password"
              autoComplete="new-password"
              maxLength={128}
              value={values.confirmation}
              onChange={edit('confirmation')}
              error={shown.confirmation}
            />
          )}
        </div>
      </Group>
      <Group title={t('본인 확인')} reason={t('변경하려면 지금 쓰는 비밀번호가 필요합니다.')}>
        <div className={styles.fields}>
          <TextField
            label={t('현재 비밀번호')}
            type="password"
            autoComplete="current-password"
            value={values.currentPassword}
            onChange={edit('currentPassword')}
            error={shown.currentPassword}
          />
        </div>
      </Group>
      <SaveBar
        changes={changes}
        isWrong={Object.keys(shown).length > 0}
        isBusy={isBusy}
        label={t('정보 변경')}
        isAlwaysOn
        writes={false}
        onReset={forget}
      />
    </form>
  )
}
