import { languageKey, storage } from './storage.ts'

/** The switch is a link; it takes the open section and the event along, and the choice is kept for the next visit. */
export function startLanguage(): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>('[data-language]'))
    link.addEventListener('click', () => {
      storage.write(languageKey, link.dataset.language)
      link.search = location.search
      link.hash = location.hash
    })
}
