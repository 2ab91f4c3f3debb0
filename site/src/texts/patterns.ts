import { fill } from './fill.ts'

/**
 * `sentence` in another language, by patterns such as "Block {block} has another hash." Core and the server
 * write English only; a sentence that matches no pattern is returned unchanged.
 */
export function translated(sentence: string, patterns: Record<string, string>): string {
  const exact = patterns[sentence]
  if (exact !== undefined) return exact
  for (const [pattern, text] of Object.entries(patterns)) {
    if (!pattern.includes('{')) continue
    const names = [...pattern.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
    const found = expression(pattern).exec(sentence)
    if (found) return fill(text, Object.fromEntries(names.map((name, at) => [name, found[at + 1] ?? ''])))
  }
  return sentence
}

const expression = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern
      .split(/\{\w+\}/)
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('(.+?)')}$`,
  )
