import { languageKey, storage } from './storage.ts'

/** The switch is a link that keeps the open section and the event; the choice is stored for later visits. */
export function startLanguage(): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>('[data-language]'))
    link.addEventListener('click', () => {
      storage.write(languageKey, link.dataset.language)
      link.search = location.search
      link.hash = location.hash
    })
}
