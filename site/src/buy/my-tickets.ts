import { atom, onMount } from 'nanostores'
import type { PublicHistoryItem, WalletReport } from '../../../core/live/public.ts'
import { usdt } from '../../../core/money.ts'
import { $config, $link, $stats, type Known } from '../live/live.ts'
import { getJson } from '../shell/api.ts'
import { fill, lang, t } from '../texts/index.ts'
import { isSameAddress } from '../wallet/eip1193.ts'
import { $wallet } from '../wallet/wallet.ts'
import { shortStanding, standingOf } from '../winner/prizes.ts'

/** The stream does not report refunds, so the page polls while one is due. */
const refundEveryMs = 10_000

/** What the connected wallet has paid in all events; undefined without a wallet or before the answer. */
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

type Payment = WalletReport['payments'][number]

export function eventsOf({ payments, walletAddress }: WalletReport, known: Known) {
  const numbers = [...new Set(payments.map(({ eventNumber }) => eventNumber))]
  return numbers
    .sort((a, b) => (b ?? 0) - (a ?? 0))
    .map((eventNumber) => {
      const own = payments.filter((payment) => payment.eventNumber === eventNumber)
      const { paid, due } = refundOf(own)
      return {
        eventNumber,
        payments: own,
        won: wonIn(eventNumber, walletAddress, known),
        sums: [
          ...(paid > 0 ? [fill(t.mine.paidBack, { amount: usdt(paid) })] : []),
          ...(due > 0 ? [fill(t.mine.dueBack, { amount: usdt(due) })] : []),
        ],
      }
    })
}

/** Hundredths that came back of these payments and that are still to come, and the last transaction that paid. */
export function refundOf(payments: readonly Payment[]) {
  const refunds = payments.flatMap(({ refund }) => refund ?? [])
  const sum = (of: 'amount' | 'due') => refunds.reduce((all, refund) => all + refund[of], 0)
  const at = refunds
    .map((refund) => refund.at ?? '')
    .sort()
    .at(-1)
  return { paid: sum('amount'), due: sum('due'), at: at || undefined }
}

function wonIn(eventNumber: number | null, wallet: string, { config, history, prizes }: Known): string[] {
  const past = history?.find((item) => item.eventNumber === eventNumber)
  const held =
    eventNumber === config?.eventNumber
      ? (prizes ?? [])
          .filter(({ holder }) => isSameAddress(wallet, holder?.walletAddress))
          .map((prize) => ({ place: prize.place, standing: standingOf(prize) }))
      : (past?.prizes ?? [])
          .filter(({ walletAddress }) => isSameAddress(wallet, walletAddress ?? undefined))
          .map((prize) => ({ place: prize.place, standing: shortStanding(prize) }))
  return held.map(({ place, standing }) =>
    fill(t.mine.won, { prize: prizeName(past, place), state: t.prize.states[standing] }),
  )
}

/** In the page's language; "prize 2" of an event that does not name its prizes. */
export const prizeName = (item: PublicHistoryItem | undefined, place: number): string =>
  item?.names?.[place - 1]?.[lang] ?? fill(t.moment.prize, { place })
