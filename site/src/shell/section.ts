import { atom } from 'nanostores'

export const sections = ['home', 'buy', 'recent', 'winner', 'next'] as const
export type Section = (typeof sections)[number]

export const $section = atom<Section>('home')

/** Shows a section and moves the focus to its heading, as a link to another page would. */
export function openSection(section: Section): void {
  $section.set(section)
}

export const sectionOf = (hash: string): Section =>
  sections.find((section) => `#${section}` === hash) ?? 'home'
