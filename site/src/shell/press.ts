import type { ClientDirective } from 'astro'

/** `client:press`: an island starts at its first press, which early.ts repeats; a pointer above it fetches it. */
const press: ClientDirective = (load, _options, element) => {
  let isStarted = false
  const start = () => {
    if (isStarted) return
    isStarted = true
    void load().then((hydrate) => hydrate())
  }
  element.addEventListener('pointerenter', () => void load(), { once: true })
  element.addEventListener('click', start, { once: true })
  element.addEventListener('blockdraw:hydrate', start, { once: true })
}

export default press
