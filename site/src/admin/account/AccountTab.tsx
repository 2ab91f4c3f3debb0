import { useStore } from '@nanostores/react'
import { t } from '../language/t.ts'
import { $username } from '../session/session.ts'
import { Group } from '../ui/card.tsx'
import { Fields, FormPlace, useDraft } from '../ui/form.tsx'
import { SaveBar } from '../ui/SaveBar.tsx'
import { AccountFacts } from './AccountFacts.tsx'
import { accountFields, saveAccount } from './account-form.ts'

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
      <SaveBar {...form.bar} label={t('정보 변경')} writes={false} />
    </FormPlace>
  )
}
