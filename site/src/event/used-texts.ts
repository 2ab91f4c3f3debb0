import type { Texts } from '../texts/index.ts'

/** What the script of an event's page says by itself; all else is in its source. */
export const usedTexts: readonly (keyof Texts)[] = [
  'ago',
  'copied',
  'copy',
  'date',
  'facts',
  'link',
  'locale',
  'none',
  'tickets',
]
