import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { island } from '../../shell/island.tsx'
import { mountToaster } from '../../shell/Toaster.tsx'
import { showToast } from '../../shell/toast.ts'
import { startTooltips } from '../../shell/tooltips.ts'
import { FirstPassword } from '../account/AccountTab.tsx'
import { t } from '../language/t.ts'
import {
  $mustChange,
  $readOnly,
  $username,
  AdminError,
  api,
  call,
  isRefusal,
  readEnrolment,
  startKeepAlive,
  toLogin,
} from '../session/session.ts'
import { readToken, takeNotice } from '../session/token.ts'
import { Retry } from '../ui/card.tsx'
import { errorText } from '../ui/error-text.ts'
import { SkeletonRows } from '../ui/resource.tsx'
import { startTabs } from '../ui/tab.ts'
import { followChoice } from './Bar.tsx'
import { Dashboard } from './Dashboard.tsx'
import { Frame } from './Frame.tsx'

/** A translator that breaks it costs no visit: what is typed stands in stores. */
const Mounted = island(Gate)
const place = document.getElementById('admin')
const toasts = document.getElementById('toasts')
if (!readToken()) toLogin()
else if (place && toasts) {
  startTabs()
  startTooltips()
  startKeepAlive()
  createRoot(place).render(<Mounted />)
  mountToaster(toasts, { close: t('닫기'), area: t('알림 ({hotkey})'), toast: t('알림') })
  if (import.meta.env.PUBLIC_DEMO_RPC_URL)
    void import('../../wallet/demo-wallet.ts').then(({ announceDemoWallet }) =>
      announceDemoWallet('operator'),
    )
  const notice = takeNotice()
  if (notice) showToast(t('완료했습니다'), notice, 'good')
}

/** Shows the dashboard once the server knows the token; any refusal but that of a printed password leads to the login. */
function Gate() {
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
    <Frame title={t('관리자 대시보드')}>
      {trouble ? <Retry text={trouble} onRetry={() => void check()} /> : <SkeletonRows rows={6} />}
    </Frame>
  )
}
