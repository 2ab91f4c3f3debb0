/** A press before its script listens is repeated when it does; start-when-painted.js marks those before this runs. */
export function replayEarly(): void {
  document.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement
    const island = form.closest('astro-island')
    // The browser's default would leave the page; an island that listens has prevented it.
    if (event.defaultPrevented || !island) return
    event.preventDefault()
    whenStarted(island, () => form.requestSubmit(event.submitter))
  })
  document.addEventListener('click', ({ target }) => {
    const button = (target as Element).closest<HTMLElement>('button:not([type=submit])')
    const island = button?.closest('astro-island[ssr]')
    if (button && island) whenStarted(island, () => button.click())
  })
  document.documentElement.setAttribute('data-awake', '')
  for (const element of document.querySelectorAll<HTMLElement>('[data-early]')) {
    element.removeAttribute('data-early')
    if (element instanceof HTMLFormElement) element.requestSubmit()
    else element.click()
  }
}

/** React listens a while after an island reports its start, on a busy machine a long one: what it misses is sent again. */
function whenStarted(island: Element, act: () => void): void {
  const soon = () => requestAnimationFrame(() => setTimeout(act))
  if (island.hasAttribute('ssr')) island.addEventListener('astro:hydrate', soon, { once: true })
  else soon()
}
