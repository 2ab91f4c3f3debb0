import { startCalendar } from '../home/calendar.ts'
import { bindFacts } from '../live/facts.ts'
import { $live } from '../live/live.ts'
import { t } from '../texts/index.ts'
import { startAddressCodes, startCopying } from '../wallet/operator-wallet.ts'
import { $isDialogOpen, reconnect } from '../wallet/wallet.ts'
import { $isOverlayOpen, openOverlay, watchDraw } from '../winner/overlay.ts'
import { keepEarlySubmits } from './early-submit.ts'
import { startLanguage } from './language.ts'
import { startLinkSigns } from './link-signs.ts'
import { startNavigation } from './navigation.ts'
import { purchasesKey, walletKey } from './storage.ts'
import { startTheme } from './theme.ts'
import { $toast } from './toast.ts'

startTheme()
startLanguage()
startCopying()
startAddressCodes()
startCalendar()
startNavigation()
keepEarlySubmits()
bindFacts()

// One listener for the whole visit keeps the stream open while sections change.
$live.listen(() => {})

startLinkSigns()

// Toasts, and React for them, load with the first toast or when F8 opens their area.
let hasToaster = false
const needToaster = async () => {
  if (hasToaster) return
  hasToaster = true
  const { mountToaster } = await import('./Toaster.tsx')
  const place = document.getElementById('toasts')
  if (place) mountToaster(place, t.toastWords)
}
$toast.listen(needToaster)
window.addEventListener('keydown', (event) => {
  if (event.key === 'F8') void needToaster()
})

// The draw's overlay loads when it first opens.
watchDraw()
let hasOverlay = false
$isOverlayOpen.subscribe(async (isOpen) => {
  if (!isOpen || hasOverlay) return
  hasOverlay = true
  const { mountOverlay } = await import('../winner/Overlay.tsx')
  const place = document.getElementById('draw')
  if (place) mountOverlay(place)
})
document.addEventListener('click', (event) => {
  if ((event.target as Element).closest('[data-open-draw]')) openOverlay()
})

// The dialog is in the header's island, which may not have started yet.
$isDialogOpen.listen((isOpen) => {
  const island = document.querySelector('header astro-island')
  if (isOpen) island?.dispatchEvent(new Event('blockdraw:hydrate'))
})

if (remembers(walletKey)) void reconnect()
if (remembers(purchasesKey))
  void import('../buy/purchase.ts').then(({ resumePurchases }) => resumePurchases())
if (import.meta.env.PUBLIC_DEMO_RPC_URL)
  void import('../wallet/demo-wallet.ts').then(({ announceDemoWallet }) => announceDemoWallet())

function remembers(key: string): boolean {
  try {
    return localStorage.getItem(key) !== null
  } catch {
    return false
  }
}
