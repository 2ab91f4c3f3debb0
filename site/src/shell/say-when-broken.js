;(() => {
  const say = () => {
    const word = document.getElementById('broken')
    if (!word) return document.addEventListener('DOMContentLoaded', say, { once: true })
    word.hidden = false
    word.showPopover?.()
  }
  // As Chromium, Firefox and Safari tell that an import came to nothing.
  const ofImport = /dynamically imported module|module script failed/i
  const check = (trouble) => ofImport.test(trouble?.message ?? trouble) && say()
  addEventListener(
    'error',
    ({ target, message }) => {
      if (target === window) return check(message)
      const isLoaded = target.localName === 'script' || /^(modulepreload|stylesheet)$/.test(target.rel)
      if (isLoaded && (target.src || target.href || '').includes('/_astro/')) say()
    },
    true,
  )
  addEventListener('unhandledrejection', ({ reason }) => check(reason))
  addEventListener('vite:preloadError', say)
  addEventListener('astro:hydration-error', ({ detail }) => check(detail.error))
})()
