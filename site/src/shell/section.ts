import { atom } from 'nanostores'

export const sections = ['home', 'buy', 'recent', 'winner', 'next'] as const
export type Section = (typeof sections)[number]

/** Another one is shown, with the focus on its heading, as a link to another page would. */
export const $section = atom<Section>('home')

export const sectionOf = (hash: string): Section =>
  sections.find((section) => `#${section}` === hash) ?? 'home'
