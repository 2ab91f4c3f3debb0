/**
 * A form that is submitted before its island has started is submitted again after it: the browser's default
 * would leave the page.
 */
export function keepEarlySubmits(): void {
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
