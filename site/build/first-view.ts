import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

const imported = /^(?:import|export) (?!type\b)[^'"]*?from '(\.[^']+\.ts)'/gms

/**
 * The modules that a script needs before it runs, without itself: they go into one file, as a dozen small ones would load half as
 * fast. They have no side effects when loaded, as other pages share some of them.
 */
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
