import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { FirstPassword } from '../account/FirstPassword.tsx'
import { followChoice } from '../language/choose.ts'
import { t } from '../language/t.ts'
import { AdminError, api } from '../session/api.ts'
import {
  $mustChange,
  $readOnly,
  $username,
  call,
  isRefusal,
  readEnrolment,
  toLogin,
} from '../session/session.ts'
import styles from '../ui/card.module.css'
import { errorText } from '../ui/error-text.ts'
import { Retry } from '../ui/Note.tsx'
import { SkeletonRows } from '../ui/resource.tsx'
import { Dashboard } from './Dashboard.tsx'
import { Frame } from './Frame.tsx'

/** Shows the dashboard once the server knows the token; any refusal but that of a printed password leads to the login. */
export function Gate() {
  const username = useStore($username)
  const mustChange = useStore($mustChange)
  const [trouble, setTrouble] = useState('')
  const check = async () => {
    setTrouble('')
    try {
      const { user } = await call(() => api.me.get())
      if (followChoice(user.language)) return
      await readEnrolment()
      $readOnly.set(user.readOnly)
      $username.set(user.username)
    } catch (error) {
      if (isRefusal(error, 'PASSWORD_CHANGE_REQUIRED')) return
      if (error instanceof AdminError && error.status < 500) return toLogin()
      setTrouble(errorText(error, t('로그인 상태를 확인하지 못했습니다.')))
    }
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page opens
  useEffect(() => {
    void check()
  }, [])
  if (mustChange) return <FirstPassword onChanged={check} />
  if (username) return <Dashboard />
  return (
    <Frame side={null} foot={null}>
      <div className={styles.title}>
        <h1>{t('관리자 대시보드')}</h1>
      </div>
      <div className={styles.panel}>
        {trouble ? <Retry text={trouble} onRetry={() => void check()} /> : <SkeletonRows rows={6} />}
      </div>
    </Frame>
  )
}
