import { languageKey, storage, themeKey } from './storage.ts'

/** The switch sets the other theme; choosing the system's own theme follows the system again. */
export function startTheme(): void {
  const root = document.documentElement
  const system = matchMedia('(prefers-color-scheme: dark)')
  const isDark = () => (root.dataset.theme ? root.dataset.theme === 'dark' : system.matches)
  const switches = document.querySelectorAll<HTMLElement>('[data-theme-switch]')
  const show = () => {
    for (const button of switches) button.setAttribute('aria-pressed', String(isDark()))
  }
  for (const button of switches)
    button.addEventListener('click', () => {
      const dark = !isDark()
      if (dark === system.matches) delete root.dataset.theme
      else root.dataset.theme = dark ? 'dark' : 'light'
      storage.write(themeKey, root.dataset.theme)
      show()
    })
  system.addEventListener('change', show)
  show()
}

/** The switch is a link that keeps the open section and the event; the choice is stored for later visits. */
export function startLanguage(): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>('[data-language]'))
    link.addEventListener('click', () => {
      storage.write(languageKey, link.dataset.language)
      link.search = location.search
      link.hash = location.hash
    })
}
