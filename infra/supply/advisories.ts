import { writeFileSync } from 'node:fs'
import { exit } from 'node:process'
import { readLock, root } from './sbom.ts'

type Advisory = { title?: string; severity?: string; url?: string; vulnerable_versions?: string }

/** `bun infra/supply/advisories.ts FILE`: what the registry knows against the lock file's packages. Ends with
 * 1 where it is high or critical and shipped, with 0 where nobody answers. */
const [file = 'advisories.json'] = process.argv.slice(2)
const child = Bun.spawn([process.execPath, 'audit', '--json'], { cwd: root, stdout: 'pipe', stderr: 'pipe' })
const [out, errors] = await Promise.all([
  new Response(child.stdout).text(),
  new Response(child.stderr).text(),
  child.exited,
])
const answer = parse(out)
if (!answer) {
  console.log(`Advisories: not asked, no database answered (${errors.trim().split('\n').pop() ?? ''})`)
  exit(0)
}
writeFileSync(file, `${JSON.stringify(answer, undefined, 1)}\n`)

const shipped = new Set([...readLock().packages.values()].flatMap((one) => (one.production ? one.name : [])))
const urgent = Object.entries(answer).flatMap(([name, advisories]) =>
  advisories
    .filter(({ severity = '' }) => shipped.has(name) && /^(high|critical)$/.test(severity))
    .map(({ severity, title, url }) => `${severity}: ${name}: ${title} ${url ?? ''}`),
)
console.log(`${file}: advisories for ${Object.keys(answer).length} packages, ${urgent.length} urgent`)
for (const line of urgent) console.log(line)
exit(urgent.length ? 1 : 0)

/** Nothing but a whole answer counts: no advisories is an empty object. */
function parse(text: string): Record<string, Advisory[]> | undefined {
  try {
    const answer = JSON.parse(text)
    return answer && typeof answer === 'object' ? answer : undefined
  } catch {
    return undefined
  }
}
