import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Two addresses or two branches take turns without a build. */
const kept = 3

/** Removes all but the newest builds of a directory. */
export function keepNewest(builds: string): void {
  const ages = readdirSync(builds).map((name) => ({ name, at: statSync(join(builds, name)).mtimeMs }))
  for (const { name } of ages.sort((a, b) => b.at - a.at).slice(kept))
    rmSync(join(builds, name), { recursive: true, force: true })
}
