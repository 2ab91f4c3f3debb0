import type { ClientDirective } from 'astro'

/**
 * Hydrates an island at its first press and repeats the press. `client:press="key"` also hydrates as
 * soon as the page is idle if localStorage has `key`: a visitor who connected a wallet before sees it.
 */
const press: ClientDirective = (load, options, element) => {
  let hydrated: Promise<unknown> | undefined
  const hydrate = () => {
    hydrated ??= load().then((start) => start())
    return hydrated
  }
  const replay = async (event: Event) => {
    const controls = () => [...element.querySelectorAll<HTMLElement>('button, a')]
    const pressed = (event.target as Element).closest<HTMLElement>('button, a')
    const index = pressed ? controls().indexOf(pressed) : -1
    if (index === -1) return
    event.preventDefault()
    event.stopPropagation()
    element.removeEventListener('click', replay, true)
    await hydrate()
    requestAnimationFrame(() => controls()[index]?.click())
  }
  element.addEventListener('pointerenter', () => void load(), { once: true })
  element.addEventListener('click', replay, true)
  const key = typeof options.value === 'string' ? options.value : undefined
  if (key && remembered(key)) setTimeout(hydrate, 0)
  element.addEventListener('blockdraw:hydrate', () => void hydrate(), { once: true })
}

/** Reading storage throws where it is switched off. */
function remembered(key: string): boolean {
  try {
    return localStorage.getItem(key) !== null
  } catch {
    return false
  }
}

export default press
