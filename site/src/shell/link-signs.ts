import { $link } from '../live/live.ts'
import { t } from '../texts/index.ts'

/** A connection that recovers within this time is not reported. */
const patienceMs = 1_500

/** Shows whether the page is up to date: always beside the list, and in the header while it is not. */
export function startLinkSigns(): void {
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
      isWell ? 0 : patienceMs,
    )
  })
}
