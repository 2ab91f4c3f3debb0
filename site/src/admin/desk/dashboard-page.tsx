import { createRoot } from 'react-dom/client'
import { island } from '../../shell/island.tsx'
import { mountToaster } from '../../shell/Toaster.tsx'
import { showToast } from '../../shell/toast.ts'
import { startTooltips } from '../../shell/tooltips.ts'
import { t } from '../language/t.ts'
import { startKeepAlive, toLogin } from '../session/session.ts'
import { readToken, takeNotice } from '../session/token.ts'
import { startTabs } from '../ui/tab.ts'
import { Gate } from './Gate.tsx'

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
