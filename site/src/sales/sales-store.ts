import { atom, onMount } from 'nanostores'
import type { PublicSales } from '../../../core/sales/sales.ts'
import { $config, $stats } from '../live/live.ts'
import { getJson } from '../shell/api.ts'

/** How the running event's sale went; undefined until it is known. */
export const $sales = atom<PublicSales | undefined>()

const restMs = 10_000

// Asked for again when something was sold, at most every ten seconds however much is.
onMount($sales, () => {
  let timer: ReturnType<typeof setTimeout> | undefined
  let asked = ''
  let isStopped = false
  const look = async () => {
    const number = $config.get()?.eventNumber
    const wanted = `${number} ${$stats.get()?.ticketsSold}`
    if (number === undefined || timer || wanted === asked) return
    asked = wanted
    timer = setTimeout(() => {
      timer = undefined
      void look()
    }, restMs)
    // What cannot be loaded now is loaded with the next sale.
    const found = await getJson(`/api/raffle/sales/${number}`).catch(() => undefined)
    if (found && !isStopped) $sales.set(found.value)
  }
  const stops = [$config.subscribe(() => void look()), $stats.subscribe(() => void look())]
  return () => {
    isStopped = true
    clearTimeout(timer)
    timer = undefined
    for (const stop of stops) stop()
  }
})
