import { createRoot } from 'react-dom/client'
import { mountToaster } from '../islands/Toaster.tsx'
import { showToast } from '../stores/toast.ts'
import { Gate } from './Gate.tsx'
import { readToken, takeNotice } from './lib/token.ts'
import { startKeepAlive } from './stores/keep-alive.ts'
import { noTokenText, toLogin } from './stores/session.ts'
import { startTabs } from './stores/tab.ts'

const place = document.getElementById('admin')
const toasts = document.getElementById('toasts')
if (!readToken()) toLogin(noTokenText)
else if (place && toasts) {
  startTabs()
  startKeepAlive()
  createRoot(place).render(<Gate />)
  mountToaster(toasts, { close: '닫기', area: '알림 ({hotkey})', toast: '알림' })
  const notice = takeNotice()
  if (notice) showToast('완료했습니다', notice, 'good')
}
