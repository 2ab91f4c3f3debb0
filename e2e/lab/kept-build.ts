import { mkdirSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { locked } from './lock.ts'

const keptMs = 24 * 3_600_000

/** What `make` builds into the directory that it is given, once for all runs of the same inputs, kept by their hash. */
export function keptBuild<T>(kind: string, hash: string, make: (dir: string) => Promise<T>): Promise<T> {
  const shared = join(tmpdir(), `blockdraw-e2e-${kind}`)
  mkdirSync(shared, { recursive: true })
  return locked(join(shared, 'lock'), () => {
    const dir = join(shared, hash)
    mkdirSync(dir, { recursive: true })
    const now = new Date()
    utimesSync(dir, now, now) // in use: not to be forgotten under the feet of another run
    forgetOldBuilds(shared)
    return make(dir)
  })
}

function forgetOldBuilds(shared: string): void {
  for (const name of readdirSync(shared)) {
    const place = join(shared, name)
    if (Date.now() - statSync(place).mtimeMs > keptMs) rmSync(place, { recursive: true, force: true })
  }
}
