import { $section, openSection, type Section, sectionOf } from './section.ts'

/** Menu, sections and the browser's back button. The hash is a bookmark, not a route. */
export function startNavigation(): void {
  const menuButton = document.querySelector<HTMLElement>('[aria-controls=menu]')
  const menu = document.getElementById('menu')
  const setMenu = (open: boolean) => {
    menuButton?.setAttribute('aria-expanded', String(open))
    menu?.toggleAttribute('data-open', open)
  }
  const show = (section: Section) => {
    document.documentElement.dataset.section = section
    for (const button of document.querySelectorAll('nav [data-open-section]'))
      if (button.getAttribute('data-open-section') === section) button.setAttribute('aria-current', 'page')
      else button.removeAttribute('aria-current')
  }

  $section.set(sectionOf(location.hash))
  show($section.get())
  $section.listen((section) => {
    show(section)
    const hash = section === 'home' ? location.pathname : `#${section}`
    if (sectionOf(location.hash) !== section) history.pushState(null, '', hash)
    scrollTo({ top: 0, behavior: 'instant' })
    document.querySelector<HTMLElement>(`#${section} h1`)?.focus({ preventScroll: true })
  })
  window.addEventListener('popstate', () => $section.set(sectionOf(location.hash)))
  window.addEventListener('hashchange', () => $section.set(sectionOf(location.hash)))

  document.addEventListener('click', (event) => {
    const opener = (event.target as Element).closest('[data-open-section]')
    if (!opener) return
    event.preventDefault()
    setMenu(false)
    openSection(opener.getAttribute('data-open-section') as Section)
    const part = document.getElementById(opener.getAttribute('data-focus') ?? '')
    if (part) goToPart(part, performance.now() + 3_000)
  })
  // Focused by script: `#main` in the address would mean another section.
  document.querySelector('[href="#main"]')?.addEventListener('click', (event) => {
    event.preventDefault()
    document.getElementById('main')?.focus()
  })
  menuButton?.addEventListener('click', () => setMenu(menuButton.getAttribute('aria-expanded') !== 'true'))
  window.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || menuButton?.getAttribute('aria-expanded') !== 'true') return
    setMenu(false)
    menuButton.focus()
  })
}

/** A part that waits for what is above it is hidden, and takes no focus until then. */
function goToPart(part: HTMLElement, until: number): void {
  part.scrollIntoView({ block: 'start' })
  part.focus({ preventScroll: true })
  if (document.activeElement !== part && performance.now() < until)
    requestAnimationFrame(() => goToPart(part, until))
}
