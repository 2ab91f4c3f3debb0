import { Frame } from '../desk/Frame.tsx'
import { t } from '../language/t.ts'
import { $mustChange } from '../session/session.ts'
import { Button } from '../ui/Button.tsx'
import panelStyles from '../ui/card.module.css'
import { Group } from '../ui/card.tsx'
import { Fields, FormPlace, useDraft } from '../ui/form.tsx'
import { Note } from '../ui/Note.tsx'
import { firstFields, saveAccount } from './AccountTab.tsx'

/** In place of the dashboard after a login with a printed password: nothing else works until it is changed. */
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
    <Frame side={null} foot={null}>
      <div className={panelStyles.title}>
        <h1>{t('새 비밀번호 설정')}</h1>
      </div>
      <FormPlace of={form} className={panelStyles.panel ?? ''}>
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
