import { startCalendar } from '../home/calendar.ts'
import { watchRules } from '../house/gate.ts'
import { followState } from '../live/follow-state.ts'
import { $config, $drawStatus, $link } from '../live/live.ts'
import { followPage, homeMark } from '../live/page-changes.ts'
import { t } from '../texts/index.ts'
import { startAddressCodes, startCopying } from '../wallet/operator-wallet.ts'
import { $isDialogOpen, reconnect } from '../wallet/wallet.ts'
import { $isOverlayOpen, openOverlay, watchDraw } from '../winner/overlay.ts'
import { replayEarly } from './early.ts'
import { $section, type Section, sectionOf } from './section.ts'
import { purchasesKey, storage, walletKey } from './storage.ts'
import { startLanguage, startTheme } from './theme.ts'
import { $toast } from './toast.ts'
import { startTooltips } from './tooltips.ts'

/** A connection that recovers within this time is not reported. */
const deadlineMs = 1_500

startTheme()
startTooltips()
startLanguage()
startCopying()
startAddressCodes()
startCalendar()
startNavigation()
followState()

startLinkSigns()
followPage({
  markOf: homeMark,
  isBusy: async () => $isDialogOpen.get() || (await import('../buy/purchase.ts')).$isBuying.get(),
})

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
  const { mountOverlay } = await import('../winner/Overlay.tsx')
  const place = document.getElementById('draw')
  if (place) mountOverlay(place)
})
document.addEventListener('click', (event) => {
  if ((event.target as Element).closest('[data-open-draw]')) openOverlay()
})

// The header's island, which may not have started yet, shows the wallet and has its dialog.
const startWallet = () =>
  document.querySelector('header astro-island')?.dispatchEvent(new Event('blockdraw:hydrate'))
$isDialogOpen.listen((isOpen) => isOpen && startWallet())
if (remembers(walletKey)) {
  startWallet()
  void reconnect()
}
if (remembers(purchasesKey))
  void import('../buy/purchase.ts').then(({ resumePurchases }) => resumePurchases())
if (import.meta.env.PUBLIC_DEMO_RPC_URL)
  void import('../wallet/demo-wallet.ts').then(({ announceDemoWallet }) => announceDemoWallet())

replayEarly()

function remembers(key: string): boolean {
  return storage.read(key, (value): value is unknown => value !== null) !== undefined
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

/** While a round is awaited this page fetches it too and hands it in, so nobody can pretend it is not there. */
function watchBeacon(): void {
  let delivery: { key: string; stop: AbortController } | undefined
  const look = () => {
    const [config, status] = [$config.get(), $drawStatus.get()]
    const round = config?.beaconRound
    const isAwaited = status?.beacon === 'awaited' && !status.isRefundMode && round
    const key = isAwaited ? `${config.eventNumber} ${round}` : undefined
    if (delivery?.key === key) return
    delivery?.stop.abort()
    delivery = undefined
    if (!isAwaited || !key) return
    const stop = new AbortController()
    delivery = { key, stop }
    const { eventNumber } = config
    const dueAt = Date.parse(status.beaconDueAt ?? '') || 0
    void import('../winner/carry.ts').then(({ carry }) =>
      carry({ eventNumber, round, dueAt, signal: stop.signal }),
    )
  }
  $config.listen(look)
  $drawStatus.subscribe(look)
}

/** Menu, sections and the browser's back button. The hash is a bookmark, not a route. */
function startNavigation(): void {
  const menuButton = document.querySelector<HTMLElement>('[aria-controls=menu]')
  const menu = document.getElementById('menu')
  const setMenu = (open: boolean) => {
    menuButton?.setAttribute('aria-expanded', String(open))
    menu?.toggleAttribute('data-open', open)
  }
  const show = (section: Section) => {
    document.documentElement.dataset.section = section
    for (const button of document.querySelectorAll('nav [data-open-section]'))
      if (button.getAttribute('data-open-section') === section) button.setAttribute('aria-current', 'page')
      else button.removeAttribute('aria-current')
  }

  $section.set(sectionOf(location.hash))
  show($section.get())
  $section.listen((section) => {
    show(section)
    const hash = section === 'home' ? location.pathname : `#${section}`
    if (sectionOf(location.hash) !== section) history.pushState(null, '', hash)
    scrollTo({ top: 0, behavior: 'instant' })
    document.querySelector<HTMLElement>(`#${section} h1`)?.focus({ preventScroll: true })
  })
  window.addEventListener('popstate', () => $section.set(sectionOf(location.hash)))
  window.addEventListener('hashchange', () => $section.set(sectionOf(location.hash)))

  document.addEventListener('click', (event) => {
    const opener = (event.target as Element).closest('[data-open-section]')
    if (!opener) return
    event.preventDefault()
    setMenu(false)
    $section.set(opener.getAttribute('data-open-section') as Section)
    const part = document.getElementById(opener.getAttribute('data-focus') ?? '')
    if (part) goToPart(part, performance.now() + 3_000)
  })
  // Focused by script: `#main` in the address would mean another section.
  document.querySelector('[href="#main"]')?.addEventListener('click', (event) => {
    event.preventDefault()
    document.getElementById('main')?.focus()
  })
  menuButton?.addEventListener('click', () => setMenu(menuButton.getAttribute('aria-expanded') !== 'true'))
  window.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || menuButton?.getAttribute('aria-expanded') !== 'true') return
    setMenu(false)
    menuButton.focus()
  })
}

/** A part that waits for what is above it is hidden, and takes no focus until then. */
function goToPart(part: HTMLElement, until: number): void {
  part.scrollIntoView({ block: 'start' })
  part.focus({ preventScroll: true })
  if (document.activeElement !== part && performance.now() < until)
    requestAnimationFrame(() => goToPart(part, until))
}
