import { parseTerms, type TermsField, termsFields } from '../../../core/event/terms.ts'

/** The line with other values. */
export const termsWith = (line: string, change: Partial<Record<TermsField, string>>): string => {
  const values = { ...parseTerms(line), ...change } as Record<TermsField, string>
  return `blockdraw-terms-1,${termsFields.map((field) => values[field]).join()}\n`
}
