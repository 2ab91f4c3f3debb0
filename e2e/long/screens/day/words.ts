import type { Language } from '../../../../core/admin/language.ts'
import { english } from '../../../../site/src/admin/language/english/index.ts'
import { formed, type Korean } from '../../../../site/src/admin/language/t.ts'
import { fill } from '../../../../site/src/texts/fill.ts'

export type Say = (korean: Korean, values?: Record<string, string | number>) => string

/** What the administrator area says in this language, as a person reads it there. */
export const wordsIn =
  (language: Language): Say =>
  (korean, values = {}) =>
    fill(language === 'en' ? formed(english[korean], values) : korean, values)
