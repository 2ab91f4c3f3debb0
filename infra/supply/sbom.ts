import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

export const root = resolve(import.meta.dirname, '../..')

type Meta = { dependencies?: Names; optionalDependencies?: Names; peerDependencies?: Names; cpu?: string }
type Names = Record<string, string>
type Lock = {
  workspaces: { '': { dependencies?: Names; devDependencies?: Names } }
  packages: Record<string, [id: string, registry: string, meta?: Meta, integrity?: string]>
}
/** One package of the lock file; `production` if a program or a page that is shipped may hold it. */
type Locked = {
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

/** The lock file as a CycloneDX 1.6 bill of materials: what is shipped is `required`, what only builds and
 * tests is `excluded`. The same lock file gives the same bytes, so a bill can be compared with a commit. */
export function billOfMaterials(lockPath = join(root, 'bun.lock')) {
  const { name, version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const { packages, direct } = readLock(lockPath)
  const self = `pkg:npm/${name}@${version}`
  const refOf = (key: string): string => purl(packages.get(key) as Locked)
  // One package may lie in several places.
  const components = new Map<string, ReturnType<typeof component>>()
  const needs = new Map<string, Set<string>>()
  for (const locked of packages.values()) {
    const ref = purl(locked)
    if (components.get(ref)?.scope !== 'required') components.set(ref, component(locked, ref))
    const known = needs.get(ref) ?? new Set()
    needs.set(ref, known)
    for (const need of locked.needs) known.add(refOf(need))
  }
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(readFileSync(lockPath))}`,
    version: 1,
    metadata: {
      component: {
        ...{ type: 'application', 'bom-ref': self, name, version, purl: self },
        licenses: [{ license: { id: license } }],
      },
    },
    components: [...components.values()].sort((a, b) => compare(a.purl, b.purl)),
    dependencies: [
      { ref: self, dependsOn: direct.map(refOf).sort(compare) },
      ...[...needs]
        .map(([ref, on]) => ({ ref, dependsOn: [...on].sort(compare) }))
        .sort((a, b) => compare(a.ref, b.ref)),
    ],
  }
}

function component({ name, version, integrity, production }: Locked, ref: string) {
  const [, group, plain = name] = /^(@[^/]+)\/(.+)$/.exec(name) ?? []
  const [algorithm, digest = ''] = integrity.split(/-(.*)/)
  return {
    type: 'library',
    'bom-ref': ref,
    ...(group && { group }),
    name: plain,
    version,
    scope: production ? 'required' : 'excluded',
    ...(algorithm === 'sha512' && {
      hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }],
    }),
    purl: ref,
  }
}

/** The package URL of npm writes the at sign of a scope as %40. */
const purl = ({ name, version }: Locked): string => `pkg:npm/${name.replace('@', '%40')}@${version}`

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** A UUID of version 8, which may be made of anything, from what the bill was made of. */
function uuidOf(bytes: Uint8Array): string {
  const hex = createHash('sha256').update(bytes).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** `bun infra/supply/sbom.ts FILE`: writes the bill of this checkout. */
if (import.meta.main) {
  const [file = 'sbom.cdx.json'] = process.argv.slice(2)
  const bill = billOfMaterials()
  writeFileSync(file, `${JSON.stringify(bill, undefined, 1)}\n`)
  const shipped = bill.components.filter(({ scope }) => scope === 'required').length
  console.log(`${file}: ${bill.components.length} packages, ${shipped} of them shipped`)
}
