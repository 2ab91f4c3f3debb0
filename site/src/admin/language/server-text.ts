import { translated } from '../../texts/patterns.ts'
import { server } from './english/server.ts'
import { language } from './language.ts'

/** A sentence of the server in the chosen language; one that is not known stays as the server wrote it. */
export const fromServer = (text: string): string => (language === 'en' ? inEnglish(text) : text)

/** @internal */
export function inEnglish(text: string): string {
  // A refusal of a value begins with the field, which is the same in any language.
  const [, field, rest] = /^([\w.]+: )(.+)$/s.exec(text) ?? []
  return field && rest ? field + translated(rest, server) : translated(text, server)
}
