import { startCalendar } from '../home/calendar.ts'
import { bindFacts } from '../live/facts.ts'
import { $link, $live } from '../live/live.ts'
import { t } from '../texts/index.ts'
import { startAddressCodes, startCopying } from '../wallet/operator-wallet.ts'
import { $isDialogOpen, reconnect } from '../wallet/wallet.ts'
import { watchBeacon } from '../winner/courier.ts'
import { $isOverlayOpen, openOverlay, watchDraw } from '../winner/overlay.ts'
import { startNavigation } from './navigation.ts'
import { languageKey, purchasesKey, storage, walletKey } from './storage.ts'
import { startTheme } from './theme.ts'
import { $toast } from './toast.ts'

/** A connection that recovers within this time is not reported. */
const deadlineMs = 1_500

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
watchBeacon()
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

/** The switch is a link that keeps the open section and the event; the choice is stored for later visits. */
function startLanguage(): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>('[data-language]'))
    link.addEventListener('click', () => {
      storage.write(languageKey, link.dataset.language)
      link.search = location.search
      link.hash = location.hash
    })
}

/**
 * A form that is submitted before its island has started is submitted again after it: the browser's default
 * would leave the page.
 */
function keepEarlySubmits(): void {
  document.addEventListener(
    'submit',
    (event) => {
      const form = event.target as HTMLFormElement
      const island = form.closest('astro-island')
      if (!island?.hasAttribute('ssr')) return
      event.preventDefault()
      event.stopPropagation()
      // React attaches its handlers a frame after the island reports that it has started.
      const again = () => requestAnimationFrame(() => setTimeout(() => form.requestSubmit(event.submitter)))
      island.addEventListener('astro:hydrate', again, { once: true })
    },
    true,
  )
}

/** Shows whether the page is up to date: always beside the list, and in the header while it is not. */
function startLinkSigns(): void {
  const inHeader = document.querySelector<HTMLElement>('header [data-link]')
  const besideList = document.querySelector<HTMLElement>('[data-link-sign]')
  let timer: ReturnType<typeof setTimeout>
  $link.listen((link) => {
    clearTimeout(timer)
    const isWell = link === 'live' || link === 'polling'
    timer = setTimeout(
      () => {
        document.documentElement.dataset.link = link
        if (besideList) besideList.textContent = t.link[link]
        if (!inHeader) return
        inHeader.hidden = isWell
        inHeader.textContent = isWell ? '' : link === 'offline' ? t.link.offlineShort : t.link.connecting
      },
      isWell ? 0 : deadlineMs,
    )
  })
}
