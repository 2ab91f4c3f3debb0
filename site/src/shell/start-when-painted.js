;((addresses) => {
  let isStarted = false
  const start = () => {
    if (isStarted) return
    isStarted = true
    for (const address of addresses) import(address).catch(letGo)
  }
  // Links are the browser's again, as no script may come; say-when-broken.js tells of the failure.
  const letGo = (error) => {
    removeEventListener('click', keep)
    for (const link of document.querySelectorAll('a[data-early]')) {
      link.removeAttribute('data-early')
      link.click()
    }
    throw error
  }
  // What is pressed or sent before the scripts are there happens when they are (early.ts).
  const keep = (event) => {
    if (event.defaultPrevented || document.documentElement.hasAttribute('data-awake')) return
    const isForm = event.type === 'submit'
    const early = event.target.closest(isForm ? 'form' : 'button:not([type=submit]), a[href^="#"]')
    // An island that has started has answered.
    if (!early || (!isForm && early.closest('astro-island:not([ssr])'))) return
    if (!early.matches('button')) event.preventDefault()
    early.setAttribute('data-early', '')
    start()
  }
  addEventListener('click', keep)
  addEventListener('submit', keep)
  // Nobody waits for the paint of a tab in the background, and not every browser tells of it.
  if (document.visibilityState === 'hidden') return start()
  addEventListener('load', () => setTimeout(start, 1000))
  new PerformanceObserver((list) => {
    if (list.getEntriesByName('first-contentful-paint').length > 0) start()
  }).observe({ type: 'paint', buffered: true })
})(ADDRESSES)
