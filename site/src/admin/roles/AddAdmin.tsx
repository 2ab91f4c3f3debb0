import { useState } from 'react'
import { Stack } from '../../shell/Layout.tsx'
import { t } from '../language/t.ts'
import type { DataOf } from '../session/api.ts'
import { api } from '../session/api.ts'
import { call, refusedField } from '../session/session.ts'
import { useAct } from '../ui/action.tsx'
import { CopyButton } from '../ui/address.tsx'
import { Button } from '../ui/Button.tsx'
import { Dialog, DialogActions, DialogText } from '../ui/Dialog.tsx'
import { errorText } from '../ui/error-text.ts'
import { TextField } from '../ui/Field.tsx'
import { Switch } from '../ui/select.tsx'

const add = (username: string, readOnly: boolean) => api.administrators.post({ username, readOnly })
type Added = DataOf<Awaited<ReturnType<typeof add>>>

/** What an administrator may do, in a sentence. */
export const rightsText = (readOnly: boolean): string =>
  readOnly
    ? t('모든 내용을 보고 내려받을 수 있으며 자기 계정 말고는 아무것도 바꿀 수 없습니다.')
    : t('지갑, 관리자, 보안 설정까지 모두 바꿀 수 있습니다.')

type Props = { onClose: () => void; onAdded: (added: Added) => Promise<void> }

/** Name and rights of a new administrator; the server makes his first password. */
export function AddAdmin({ onClose, onAdded }: Props) {
  const [username, setUsername] = useState('')
  const [readOnly, setReadOnly] = useState(false)
  const [error, setError] = useState<string>()
  const [save, isBusy] = useAct(
    {
      failure: t('관리자를 추가하지 못했습니다'),
      run: () =>
        call(() => add(username, readOnly)).catch((caught) => {
          if (refusedField(caught, 'username')) setError(errorText(caught, ''))
          throw caught
        }),
    },
    onAdded,
  )
  return (
    <Dialog title={t('관리자 추가')} onClose={onClose}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (username.trim() === '') return setError(t('사용자명을 입력하세요'))
          void save()
        }}
      >
        <Stack>
          <TextField
            label={t('사용자명')}
            value={username}
            onChange={(value) => {
              setUsername(value)
              setError(undefined)
            }}
            error={error}
            hint={t('영문, 숫자, . _ @ + - 을 쓸 수 있습니다.')}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            maxLength={64}
          />
          <div>
            <Switch label={t('읽기 전용')} isOn={readOnly} onChange={setReadOnly} />
            <p className="hint">{rightsText(readOnly)}</p>
          </div>
        </Stack>
        <DialogActions>
          <Button tone="edged" onClick={onClose}>
            {t('취소')}
          </Button>
          <Button type="submit" isBusy={isBusy}>
            {t('추가')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
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
