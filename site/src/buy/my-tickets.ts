import { atom, onMount } from 'nanostores'
import type { WalletReport } from '../../../core/live/public.ts'
import { $config, $link, $stats } from '../live/live.ts'
import { getJson } from '../shell/api.ts'
import { $wallet } from '../wallet/wallet.ts'

/** The stream does not report refunds, so the page polls while one is due. */
const refundEveryMs = 10_000

/** Tickets of the connected wallet in the current event; undefined without a wallet or before the answer. */
export const $myTickets = atom<WalletReport | undefined>()

onMount($myTickets, () => {
  let abort: AbortController | undefined
  const ask = async () => {
    abort?.abort()
    const { address } = $wallet.get()
    if ($myTickets.get()?.walletAddress.toLowerCase() !== address?.toLowerCase()) $myTickets.set(undefined)
    if (!address) return
    abort = new AbortController()
    const { signal } = abort
    // A failure keeps what is shown, and the next occasion asks once more.
    await getJson(`/api/tickets/wallet/${address}`, signal).then(
      ({ value }) => signal.aborted || $myTickets.set(value),
      () => undefined,
    )
  }
  const offWallet = $wallet.subscribe(() => void ask())
  let sold: number | undefined
  const offStats = $stats.listen((stats) => {
    if (stats?.ticketsSold === sold) return
    sold = stats?.ticketsSold
    void ask()
  })
  // Refund mode, another event, and what happened while nothing was heard.
  const offConfig = $config.listen(() => void ask())
  const offLink = $link.listen((link) => {
    if (link === 'live') void ask()
  })
  const awaitsRefund = (): boolean =>
    $myTickets
      .get()
      ?.payments.some(({ refund, reason }) =>
        refund ? refund.due > 0 : $config.get()?.isRefundMode && reason !== 'held' && reason !== 'early',
      ) === true
  const timer = setInterval(() => {
    if (document.visibilityState === 'visible' && awaitsRefund()) void ask()
  }, refundEveryMs)
  return () => {
    clearInterval(timer)
    offWallet()
    offStats()
    offConfig()
    offLink()
    abort?.abort()
  }
})
