import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { StartProblem, spawnChild } from './child.ts'
import { withFileLock } from './lock.ts'

type Options = { root: string; dataDir: string; publicEnv: Record<string, string> }

const sources = new Bun.Glob('{site,core}/**/*')
const ignored = /(^|\/)(\.astro|dist|node_modules)\/|\.test(-d)?\.tsx?$/

/** The built pages in `DATA_DIR/builds`, by the hash of what goes into them: the same pages are built once. */
export async function buildSite({ root, dataDir, publicEnv }: Options): Promise<string> {
  const builds = join(dataDir, 'builds')
  const out = join(builds, inputsHash(root, publicEnv))
  if (existsSync(out)) return out
  // Beside what it returns, Astro works in the checkout's own `.astro`, where two builds would take each other's files.
  await withFileLock(join(root, 'site/.astro/build.lock'), () => build({ root, out, publicEnv }))
  // Of a data directory one start alone serves pages.
  for (const name of readdirSync(builds))
    if (join(builds, name) !== out) rmSync(join(builds, name), { recursive: true, force: true })
  return out
}

async function build({ root, out, publicEnv }: Omit<Options, 'dataDir'> & { out: string }): Promise<void> {
  const half = `${out}.new`
  rmSync(half, { recursive: true, force: true })
  mkdirSync(join(out, '..'), { recursive: true })
  const child = spawnChild([process.execPath, '--bun', 'astro', 'build', '--outDir', half], {
    // Where the output's path begins with this one, Astro loads what it renders from there; only below it
    // are our packages found.
    cwd: join(root, 'site'),
    env: { ...process.env, ...publicEnv, NODE_ENV: 'production', ASTRO_TELEMETRY_DISABLED: '1' },
  })
  if ((await child.exited) !== 0) throw new StartProblem(`The site could not be built:\n${child.tail()}`)
  renameSync(half, out)
}

/** Changes with anything that goes into the pages. @internal */
export function inputsHash(root: string, publicEnv: Record<string, string>): string {
  const hash = createHash('sha256').update(JSON.stringify(publicEnv))
  const files = [...sources.scanSync({ cwd: root, dot: false })].filter((file) => !ignored.test(file)).sort()
  for (const file of [...files, 'package.json', 'bun.lock'])
    hash.update(`\n${file}\n`).update(readFileSync(join(root, file)))
  return hash.digest('hex')
}
