import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

const imported = /^(?:import|export) (?!type\b)[^'"]*?from '(\.[^']+\.ts)'/gms

/** The modules that a script needs first, for one file: none has side effects, as other pages share some. */
export function importedBy(entry: string): Set<string> {
  const found = new Set<string>()
  const follow = (file: string) => {
    for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(imported)) {
      const other = resolve(dirname(file), path)
      // Texts of the build: a page has its own as data.
      if (found.has(other) || path === './en.ts') continue
      found.add(other)
      follow(other)
    }
  }
  follow(entry)
  return found
}
