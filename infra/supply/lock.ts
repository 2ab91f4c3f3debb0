import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

export const root = resolve(import.meta.dirname, '../..')

type Meta = { dependencies?: Names; optionalDependencies?: Names; peerDependencies?: Names; cpu?: string }
type Names = Record<string, string>
type Entry = [id: string, registry: string, meta?: Meta, integrity?: string]
type Lock = {
  workspaces: { '': { dependencies?: Names; devDependencies?: Names } }
  packages: Record<string, Entry>
}
/** One package of the lock file; `production` if a program or a page that is shipped may hold it. */
export type Locked = {
  name: string
  version: string
  integrity: string
  production: boolean
  needs: string[]
}

export function readLock(path = join(root, 'bun.lock')): { packages: Map<string, Locked>; direct: string[] } {
  const lock = Bun.JSONC.parse(readFileSync(path, 'utf8')) as Lock
  const { dependencies = {}, devDependencies = {} } = lock.workspaces['']
  const packages = new Map<string, Locked>()
  for (const [key, [id, , meta, integrity = '']] of Object.entries(lock.packages)) {
    const at = id.lastIndexOf('@')
    const wanted = { ...meta?.dependencies, ...meta?.optionalDependencies, ...meta?.peerDependencies }
    const needs = Object.keys(wanted).flatMap((name) => placeOf(lock, key, name) ?? [])
    packages.set(key, {
      name: id.slice(0, at),
      version: id.slice(at + 1),
      integrity,
      production: false,
      needs,
    })
  }
  const mark = (key: string): void => {
    const found = packages.get(key)
    if (!found || found.production) return
    found.production = true
    for (const need of found.needs) mark(need)
  }
  for (const name of Object.keys(dependencies)) mark(name)
  return { packages, direct: Object.keys({ ...dependencies, ...devDependencies }) }
}

/** Where a package finds another, as node_modules is searched: below itself, then below each parent, then at the root. */
function placeOf({ packages }: Lock, from: string, name: string): string | undefined {
  for (const parent of parentsOf(from)) if (packages[`${parent}/${name}`]) return `${parent}/${name}`
  return packages[name] ? name : undefined
}

/** `a/@b/c` is c of @b, below a: the key itself and the keys above it, longest first. */
function parentsOf(key: string): string[] {
  const names = key.match(/@[^/]+\/[^/]+|[^/]+/g) ?? []
  return names.map((_, index) => names.slice(0, names.length - index).join('/'))
}
