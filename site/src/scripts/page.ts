import { purchasesKey, walletKey } from '../lib/storage.ts'
import { $live } from '../stores/live.ts'
import { $isOverlayOpen, openOverlay, watchDraw } from '../stores/overlay.ts'
import { $toast } from '../stores/toast.ts'
import { $isDialogOpen, reconnect } from '../stores/wallet.ts'
import { t } from '../texts/index.ts'
import { startCalendar } from './calendar.ts'
import { keepEarlySubmits } from './early-submit.ts'
import { bindFacts } from './facts.ts'
import { startLanguage } from './language.ts'
import { startLinkSigns } from './link-signs.ts'
import { startNavigation } from './navigation.ts'
import { startAddressCodes, startCopying } from './operator-wallet.ts'
import { startTheme } from './theme.ts'

startTheme()
startLanguage()
startCopying()
startAddressCodes()
startCalendar()
startNavigation()
keepEarlySubmits()
bindFacts()

// One reader for the whole visit: sections come and go without reopening the stream.
$live.listen(() => {})

startLinkSigns()

// Toasts, and React for them, load when the first one is due or F8 asks for the area.
let hasToaster = false
const needToaster = async () => {
  if (hasToaster) return
  hasToaster = true
  const { mountToaster } = await import('../islands/Toaster.tsx')
  const place = document.getElementById('toasts')
  if (place) mountToaster(place, t.toastWords)
}
$toast.listen(needToaster)
window.addEventListener('keydown', (event) => {
  if (event.key === 'F8') void needToaster()
})

// The draw's overlay loads when somebody asks for it, or when there is something to see.
watchDraw()
let hasOverlay = false
$isOverlayOpen.subscribe(async (isOpen) => {
  if (!isOpen || hasOverlay) return
  hasOverlay = true
  const { mountOverlay } = await import('../draw/Overlay.tsx')
  const place = document.getElementById('draw')
  if (place) mountOverlay(place)
})
document.addEventListener('click', (event) => {
  if ((event.target as Element).closest('[data-open-draw]')) openOverlay()
})

// The dialog lives in the header's island, which may not have started yet.
$isDialogOpen.listen((isOpen) => {
  const island = document.querySelector('header astro-island')
  if (isOpen) island?.dispatchEvent(new Event('blockdraw:hydrate'))
})

if (remembers(walletKey)) void reconnect()
if (remembers(purchasesKey))
  void import('../stores/purchase.ts').then(({ resumePurchases }) => resumePurchases())
if (import.meta.env.PUBLIC_DEMO_RPC_URL)
  void import('../lib/demo-wallet.ts').then(({ announceDemoWallet }) => announceDemoWallet())

function remembers(key: string): boolean {
  try {
    return localStorage.getItem(key) !== null
  } catch {
    return false
  }
}
