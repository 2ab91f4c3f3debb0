import type { ClientDirective } from 'astro'

/** Hydrates an island that comes within `client:near="200px"` of the screen, or that is told to be ready before. */
const near: ClientDirective = (load, options, element) => {
  let isStarted = false
  const hydrate = () => {
    observer.disconnect()
    if (isStarted) return
    isStarted = true
    void load().then((start) => start())
  }
  const observer = new IntersectionObserver(
    (entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) hydrate()
    },
    { rootMargin: `${options.value}` },
  )
  // The island itself has no box.
  for (const child of element.children) observer.observe(child)
  element.addEventListener('blockdraw:hydrate', hydrate, { once: true })
}

export default near
