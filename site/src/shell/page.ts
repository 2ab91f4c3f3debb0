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
import { startNavigation } from './navigation.ts'
import { purchasesKey, walletKey } from './storage.ts'
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
  try {
    return localStorage.getItem(key) !== null
  } catch {
    return false
  }
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
