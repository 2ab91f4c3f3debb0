import type { Section } from '../stores/section.ts'

/** The five sections as the menu names them. */
export const sectionNames: readonly (readonly [Section, string])[] = [
  ['home', 'Home'],
  ['buy', 'Buy Tickets'],
  ['recent', 'Recent Purchases'],
  ['winner', 'Winner'],
  ['next', 'Next Event'],
]
