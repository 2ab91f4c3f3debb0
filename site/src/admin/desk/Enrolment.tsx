import { useStore } from '@nanostores/react'
import { t } from '../language/t.ts'
import { $enrolment, putOffEnrolment } from '../session/session.ts'
import { Button } from '../ui/Button.tsx'
import { Note } from '../ui/Note.tsx'
import { $tab, openTab } from '../ui/tab.ts'
import styles from './Enrolment.module.css'

/** After each login without a second factor: asks to set one up, which a trial on this machine alone may put off. */
export function Enrolment() {
  const enrolment = useStore($enrolment)
  const isThere = useStore($tab) === 'security'
  if (enrolment === 'done') return null
  const mayWait = enrolment === 'asked'
  return (
    <Note
      tone={mayWait ? 'plain' : 'bad'}
      role={mayWait ? 'status' : 'alert'}
      action={
        <div className={styles.choice}>
          {!isThere && (
            <Button size="small" onClick={() => openTab('security')}>
              {t('지금 설정')}
            </Button>
          )}
          {mayWait && (
            <Button tone="plain" size="small" onClick={putOffEnrolment}>
              {t('나중에')}
            </Button>
          )}
        </div>
      }
    >
      <b>{t('2단계 인증이 없습니다.')}</b>{' '}
      {mayWait
        ? t('지금은 비밀번호만 새어도 누구나 들어올 수 있습니다. OTP나 패스키를 설정하세요.')
        : t('OTP나 패스키를 설정해야 다른 메뉴를 쓸 수 있습니다.')}
    </Note>
  )
}
