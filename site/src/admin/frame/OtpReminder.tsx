import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { t } from '../language/t.ts'
import { Button } from './Button.tsx'
import { Note } from './Note.tsx'
import styles from './OtpReminder.module.css'
import { $lacksOtp } from './session.ts'
import { isPutOff, putOff } from './token.ts'

/** After each login without a second factor: asks to set one up, until it is there or this login puts it off. */
export function OtpReminder({ onOpen }: { onOpen: () => void }) {
  const lacksOtp = useStore($lacksOtp)
  const [isHidden, setHidden] = useState(isPutOff)
  if (!lacksOtp || isHidden) return null
  const later = () => {
    putOff(true)
    setHidden(true)
  }
  return (
    <Note
      role="status"
      action={
        <div className={styles.choice}>
          <Button size="small" onClick={onOpen}>
            {t('지금 설정')}
          </Button>
          <Button tone="plain" size="small" onClick={later}>
            {t('나중에')}
          </Button>
        </div>
      }
    >
      <b>{t('2단계 인증(OTP)이 없습니다.')}</b>{' '}
      {t('지금은 비밀번호만 새어도 누구나 들어올 수 있습니다. 인증 앱으로 설정하세요.')}
    </Note>
  )
}
