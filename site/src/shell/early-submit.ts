/**
 * A form that is sent before its island has started waits for it, and is sent then: the browser's own way of
 * sending would leave the page.
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
      // React has its handlers a frame after the island says that it has started.
      const again = () => requestAnimationFrame(() => setTimeout(() => form.requestSubmit(event.submitter)))
      island.addEventListener('astro:hydrate', again, { once: true })
    },
    true,
  )
}
