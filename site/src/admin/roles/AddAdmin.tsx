import { Stack } from '../../shell/Layout.tsx'
import { t } from '../language/t.ts'
import { api, type DataOf } from '../session/api.ts'
import { call } from '../session/session.ts'
import { CopyButton } from '../ui/address.tsx'
import { Button } from '../ui/Button.tsx'
import { Dialog, DialogActions, DialogText } from '../ui/Dialog.tsx'
import { text, toggle } from '../ui/fields.tsx'
import { Fields, FormDialog, useDraft } from '../ui/form.tsx'

const add = (username: string, readOnly: boolean) => api.administrators.post({ username, readOnly })
type Added = DataOf<Awaited<ReturnType<typeof add>>>

/** What an administrator may do, in a sentence. */
export const rightsText = (readOnly: boolean): string =>
  readOnly
    ? t('모든 내용을 보고 내려받을 수 있으며 자기 계정 말고는 아무것도 바꿀 수 없습니다.')
    : t('지갑, 관리자, 보안 설정까지 모두 바꿀 수 있습니다.')

type Props = { onClose: () => void; onAdded: (added: Added) => Promise<void> }

const fields = {
  username: text({
    label: t('사용자명'),
    hint: t('영문, 숫자, . _ @ + - 을 쓸 수 있습니다.'),
    autoCapitalize: 'off',
    maxLength: 64,
    missing: t('사용자명을 입력하세요'),
  }),
  readOnly: toggle({ label: t('읽기 전용'), hint: (typed) => rightsText(typed === 'true') }),
}

/** Name and rights of a new administrator; the server makes his first password. */
export function AddAdmin({ onClose, onAdded }: Props) {
  const form = useDraft({
    isSent: true,
    isWhole: true,
    fields,
    save: ({ username, readOnly = false }) => call(() => add(username ?? '', readOnly)),
    failure: t('관리자를 추가하지 못했습니다'),
    done: onAdded,
  })
  return (
    <FormDialog of={form} title={t('관리자 추가')} action={t('추가')} onClose={onClose}>
      <Fields of={form} names={['username', 'readOnly']} />
    </FormDialog>
  )
}

type ToldProps = { administrator: { username: string }; password: string; onClose: () => void }

/** A password that is told once: the administrator changes it at the first login. */
export const OneTimePassword = ({ administrator: { username }, password, onClose }: ToldProps) => (
  <Dialog title={t('일회용 비밀번호')} onClose={onClose}>
    <Stack gap={16}>
      <DialogText>
        {t(
          '{name}에게 안전한 방법으로 전하세요. 지금 한 번만 보이며, 24시간 안에 로그인해 새 비밀번호로 바꿔야 합니다.',
          { name: username },
        )}
      </DialogText>
      <div className="address address-row">
        <span data-secret={password}>{password}</span>
        <CopyButton text={password} label={t('비밀번호 복사')} />
      </div>
      <DialogActions>
        <Button onClick={onClose}>{t('전달했습니다')}</Button>
      </DialogActions>
    </Stack>
  </Dialog>
)
