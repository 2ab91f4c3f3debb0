import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'

export const root = resolve(import.meta.dirname, '../..')

type Names = Record<string, string>
type Meta = { dependencies?: Names; optionalDependencies?: Names; peerDependencies?: Names }
type Packages = Record<string, [id: string, registry: string, meta?: Meta, integrity?: string]>
type Lock = { workspaces: { '': { dependencies: Names } }; packages: Packages }

/** @internal */
export const readLock = (): Lock => Bun.JSONC.parse(readFileSync(`${root}/bun.lock`, 'utf8')) as Lock

/** The lock file as a CycloneDX 1.6 bill of materials: what is shipped is `required`, what only builds and
 * tests is `excluded`. The same lock file gives the same bytes, so a bill can be compared with a commit. */
export function billOfMaterials({ workspaces, packages } = readLock()) {
  const { name, version, license } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'))
  const shipped = shippedOf(packages, Object.keys(workspaces[''].dependencies))
  // One package may lie in several places.
  const components = new Map<string, ReturnType<typeof component>>()
  for (const [key, [id, , , integrity = '']] of Object.entries(packages)) {
    if (components.get(id)?.scope !== 'required')
      components.set(id, component(id, integrity, shipped.has(key)))
  }
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        ...{ type: 'application', name, version, purl: `pkg:npm/${name}@${version}` },
        licenses: [{ license: { id: license } }],
      },
    },
    components: [...components.values()],
  }
}

function component(id: string, integrity: string, isShipped: boolean) {
  const at = id.lastIndexOf('@')
  // The package URL of npm writes the at sign of a scope as %40.
  const purl = `pkg:npm/${id.replace(/^@/, '%40')}`
  return {
    ...{ type: 'library', 'bom-ref': purl, name: id.slice(0, at), version: id.slice(at + 1) },
    scope: isShipped ? 'required' : 'excluded',
    hashes: [
      { alg: 'SHA-512', content: Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex') },
    ],
    purl,
  }
}

/** Keys of the packages that a program or a page may hold. */
function shippedOf(packages: Packages, direct: readonly string[]): ReadonlySet<string> {
  const shipped = new Set<string>()
  const mark = (key: string): void => {
    const [, , meta] = packages[key] ?? []
    if (!meta || shipped.has(key)) return
    shipped.add(key)
    const needs = { ...meta.dependencies, ...meta.optionalDependencies, ...meta.peerDependencies }
    for (const need of Object.keys(needs)) mark(placeOf(packages, key, need))
  }
  for (const name of direct) mark(name)
  return shipped
}

/** Where a package finds another, as node_modules is searched: below itself, then below each parent, then at
 * the root. In the key `a/@b/c` c of @b lies below a. */
function placeOf(packages: Packages, from: string, name: string): string {
  const path = from.match(/@[^/]+\/[^/]+|[^/]+/g) ?? []
  const places = path.map((_, index) => [...path.slice(0, path.length - index), name].join('/'))
  return places.find((place) => packages[place]) ?? name
}

/** `bun infra/supply/sbom.ts FILE`: writes the bill of this checkout. */
if (import.meta.main) {
  const [file = 'sbom.cdx.json'] = process.argv.slice(2)
  const bill = billOfMaterials()
  writeFileSync(file, `${JSON.stringify(bill, undefined, 1)}\n`)
  const shipped = bill.components.filter(({ scope }) => scope === 'required').length
  console.log(`${file}: ${bill.components.length} packages, ${shipped} of them shipped`)
}
