import { t } from '../language/t.ts'
import { Button } from '../ui/Button.tsx'
import { CopyButton } from '../ui/Copy.tsx'
import { Dialog, DialogActions, DialogText } from '../ui/Dialog.tsx'
import rowStyles from '../ui/Rows.module.css'
import styles from './AdminList.module.css'

type Props = { administrator: { username: string }; password: string; onClose: () => void }

/** A password that is told once: the administrator changes it at the first login. */
export function OneTimePassword({ administrator: { username }, password, onClose }: Props) {
  return (
    <Dialog title={t('일회용 비밀번호')} onClose={onClose}>
      <div className={`${rowStyles.stack} ${styles.told}`}>
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
      </div>
      <DialogActions>
        <Button onClick={onClose}>{t('전달했습니다')}</Button>
      </DialogActions>
    </Dialog>
  )
}
