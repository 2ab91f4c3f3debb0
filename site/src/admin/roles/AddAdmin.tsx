import { useState } from 'react'
import { type AdminRole, adminRoles } from '../../../../core/admin/roles.ts'
import type { DataOf } from '../frame/api.ts'
import { api } from '../frame/api.ts'
import { Button } from '../frame/Button.tsx'
import { Dialog, DialogActions } from '../frame/Dialog.tsx'
import { errorText } from '../frame/error-text.ts'
import { Field, TextField } from '../frame/Field.tsx'
import rowStyles from '../frame/Rows.module.css'
import { roleTexts } from '../frame/role.ts'
import { call, isRefusal, refusedField } from '../frame/session.ts'
import { useAction } from '../frame/use-action.ts'
import { t } from '../language/t.ts'
import styles from './AdminList.module.css'
import { roleMeanings } from './texts.ts'

const add = (username: string, role: AdminRole) => api.administrators.post({ username, role })
type Added = DataOf<Awaited<ReturnType<typeof add>>>

type Props = { onClose: () => void; onAdded: (added: Added) => Promise<void> }

/** Name and role of a new administrator; the server makes his first password. */
export function AddAdmin({ onClose, onAdded }: Props) {
  const [username, setUsername] = useState('')
  const [role, setRole] = useState<AdminRole>('operator')
  const [error, setError] = useState<string>()
  const [save, isBusy] = useAction(t('관리자를 추가하지 못했습니다'), async () => {
    try {
      await onAdded(await call(() => add(username, role)))
    } catch (caught) {
      if (isRefusal(caught, 'SECOND_PERSON_REQUIRED')) onClose()
      if (refusedField(caught, 'username')) setError(errorText(caught, ''))
      throw caught
    }
  })
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
        <div className={rowStyles.stack}>
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
          <Field label={t('권한')} hint={roleMeanings[role]}>
            {(ids) => (
              <select
                {...ids}
                className={`input ${styles.select}`}
                value={role}
                onChange={({ target }) => setRole(target.value as AdminRole)}
              >
                {adminRoles.map((one) => (
                  <option key={one} value={one}>
                    {roleTexts[one]}
                  </option>
                ))}
              </select>
            )}
          </Field>
        </div>
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
