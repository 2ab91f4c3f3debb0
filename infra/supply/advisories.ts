import { writeFileSync } from 'node:fs'
import { exit } from 'node:process'

/** `bun infra/supply/advisories.ts FILE`: what the registry knows against the packages that are shipped. Ends
 * with 1 where something is high or critical, with 0 where nobody answers. */
const [file = 'advisories.json'] = process.argv.slice(2)
const { stdout, stderr } = Bun.spawnSync([process.execPath, 'audit', '--production', '--json'])
if (stdout.length === 0) {
  console.log(`Advisories: not asked, no database answered (${stderr.toString().trim()})`)
  exit(0)
}
writeFileSync(file, stdout)
type Advisories = Record<string, { title?: string; severity?: string; url?: string }[]>
const urgent = Object.entries(JSON.parse(stdout.toString()) as Advisories).flatMap(([name, advisories]) =>
  advisories
    .filter(({ severity = '' }) => /^(high|critical)$/.test(severity))
    .map(({ severity, title, url }) => `${severity}: ${name}: ${title} ${url ?? ''}`),
)
console.log(`${file}: ${urgent.length} urgent advisories`)
for (const line of urgent) console.log(line)
exit(urgent.length ? 1 : 0)
