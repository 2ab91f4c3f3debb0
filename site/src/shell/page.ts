import { startCalendar } from '../home/calendar.ts'
import { watchRules } from '../house/gate-watch.ts'
import { bindFacts } from '../live/facts.ts'
import { $link, $live } from '../live/live.ts'
import { followPage } from '../live/page-changes.ts'
import { t } from '../texts/index.ts'
import { startAddressCodes, startCopying } from '../wallet/operator-wallet.ts'
import { $isDialogOpen, reconnect } from '../wallet/wallet.ts'
import { watchBeacon } from '../winner/courier.ts'
import { $isOverlayOpen, openOverlay, watchDraw } from '../winner/overlay.ts'
import { replayEarly } from './early.ts'
import { startLanguage } from './language.ts'
import { startNavigation } from './navigation.ts'
import { purchasesKey, walletKey } from './storage.ts'
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
keepEarlyPresses()
bindFacts()

// One listener for the whole visit keeps the stream open while sections change.
$live.listen(() => {})

startLinkSigns()
startRenewal()

// Toasts, and React for them, load with the first toast or when F8 opens their area.
let hasToaster = false
const needToaster = async (isCalled: boolean) => {
  if (hasToaster) return
  hasToaster = true
  const { mountToaster } = await import('./Toaster.tsx')
  const place = document.getElementById('toasts')
  if (place) mountToaster(place, t.toastWords, isCalled)
}
$toast.listen(() => void needToaster(false))
window.addEventListener('keydown', (event) => {
  if (event.key === 'F8') void needToaster(true)
})

watchRules()

// The draw's overlay loads when it first opens.
watchDraw()
watchBeacon()
let hasOverlay = false
$isOverlayOpen.subscribe(async (isOpen) => {
  if (!isOpen || hasOverlay) return
  hasOverlay = true
  // It ends in the Winner section, whose board is to be there then.
  document.querySelector('[data-board] astro-island')?.dispatchEvent(new Event('blockdraw:hydrate'))
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

replayEarly()

function remembers(key: string): boolean {
  try {
    return localStorage.getItem(key) !== null
  } catch {
    return false
  }
}

/**
 * A form that is submitted before its island has started is submitted again after it: the browser's default
 * would leave the page. An island that has started has prevented that, once React listens: a while after the island
 * reports its start, on a busy machine a long one.
 */
function keepEarlySubmits(): void {
  document.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement
    const island = form.closest('astro-island')
    if (event.defaultPrevented || !island) return
    event.preventDefault()
    const again = () => requestAnimationFrame(() => setTimeout(() => form.requestSubmit(event.submitter)))
    if (island.hasAttribute('ssr')) island.addEventListener('astro:hydrate', again, { once: true })
    else again()
  })
}

/** A button is pressed again once its island has started; one that starts at a press sees to it itself (press.ts). */
function keepEarlyPresses(): void {
  document.addEventListener('click', ({ target }) => {
    const button = (target as Element).closest<HTMLElement>('button:not([type=submit])')
    const island = button?.closest('astro-island[ssr]:not([client=press])')
    const again = () => requestAnimationFrame(() => setTimeout(() => button?.click()))
    island?.addEventListener('astro:hydrate', again, { once: true })
  })
}

/** What the page says of the prizes is as it was served: never in a purchase it is loaded anew. */
function startRenewal(): void {
  const metas = ['event-number', 'event-content'].map(
    (name) => document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content,
  )
  const isBuying = async () => (await import('../buy/purchase.ts')).$isBuying.get()
  followPage({ event: metas.join(), isBusy: async () => $isDialogOpen.get() || (await isBuying()) })
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
