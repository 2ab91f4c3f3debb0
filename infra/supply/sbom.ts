import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Locked, readLock, root } from './lock.ts'

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
