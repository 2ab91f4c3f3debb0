import { useState } from 'react'
import { showToast } from '../../shell/toast.ts'
import { Frame } from '../desk/Frame.tsx'
import { t } from '../language/t.ts'
import { $mustChange, changeCredentials, isRefusal, refusedField } from '../session/session.ts'
import { useAction } from '../ui/action.tsx'
import { Button } from '../ui/Button.tsx'
import { Group } from '../ui/card.tsx'
import { errorText } from '../ui/error-text.ts'
import { TextField } from '../ui/Field.tsx'
import { focusWrong } from '../ui/focus-wrong.ts'
import { Note } from '../ui/Note.tsx'
import panelStyles from '../ui/panel.module.css'
import rowStyles from '../ui/Rows.module.css'
import styles from './AccountTab.module.css'
import { emptyFirst, type FirstErrors, type FirstValues, wrongFirst } from './account-form.ts'

/** In place of the dashboard after a login with a printed password: nothing else works until it is changed. */
export function FirstPassword({ onChanged }: { onChanged: () => Promise<void> }) {
  const [values, setValues] = useState(emptyFirst)
  const [shown, setShown] = useState<FirstErrors>({})
  const wrong = wrongFirst(values)
  const edit = (name: keyof FirstValues) => (value: string) => {
    setValues({ ...values, [name]: value })
    setShown({})
  }
  const [save, isBusy] = useAction(t('비밀번호를 바꾸지 못했습니다'), async () => {
    const { currentPassword, newPassword } = values
    try {
      await changeCredentials({ currentPassword, newPassword })
    } catch (error) {
      const field = fieldOf(error)
      if (field) setShown({ [field]: errorText(error, t('바꾸지 못했습니다.')) })
      throw error
    }
    $mustChange.set(false)
    await onChanged()
    showToast(t('비밀번호를 바꿨습니다'), t('일회용 비밀번호는 더 이상 쓸 수 없습니다.'), 'good')
  })
  const field = (name: keyof FirstValues, label: string, autoComplete: string, hint?: string) => (
    <TextField
      label={label}
      type="password"
      autoComplete={autoComplete}
      maxLength={128}
      value={values[name]}
      onChange={edit(name)}
      error={shown[name]}
      hint={hint}
    />
  )
  return (
    <Frame side={null} foot={null}>
      <div className={panelStyles.title}>
        <h1>{t('새 비밀번호 설정')}</h1>
      </div>
      <form
        className={panelStyles.panel}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          setShown(wrong)
          if (Object.keys(wrong).length > 0) focusWrong(event.currentTarget)
          else void save()
        }}
      >
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
          <div className={styles.fields}>
            {field(
              'currentPassword',
              t('일회용 비밀번호'),
              'current-password',
              t('서버가 출력한 비밀번호입니다.'),
            )}
            {field(
              'newPassword',
              t('새 비밀번호'),
              'new-password',
              t('8자 이상입니다. 15자 이상을 권합니다.'),
            )}
            {field('confirmation', t('새 비밀번호 확인'), 'new-password')}
            <div className={rowStyles.row}>
              <Button type="submit" isBusy={isBusy}>
                {t('비밀번호 변경')}
              </Button>
            </div>
          </div>
        </Group>
      </form>
    </Frame>
  )
}

/** The field that a refusal is about. */
function fieldOf(error: unknown): keyof FirstValues | undefined {
  if (isRefusal(error, 'WRONG_PASSWORD')) return 'currentPassword'
  if (isRefusal(error, 'WEAK_PASSWORD')) return 'newPassword'
  return refusedField(error, 'currentPassword', 'newPassword')
}
