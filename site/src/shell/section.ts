import { atom } from 'nanostores'

export const sections = ['home', 'buy', 'recent', 'winner', 'next'] as const
export type Section = (typeof sections)[number]

/**
 * For `client:visible`: an island starts 200 px before it comes into sight. One above the screen starts too, as what is below waits
 * for its height, and a page that is loaded anew is scrolled to where it was.
 */
export const nearScreen = { rootMargin: '99999px 0px 200px' }

export const $section = atom<Section>('home')

/** Shows a section and moves the focus to its heading, as a link to another page would. */
export function openSection(section: Section): void {
  $section.set(section)
}

export const sectionOf = (hash: string): Section =>
  sections.find((section) => `#${section}` === hash) ?? 'home'
