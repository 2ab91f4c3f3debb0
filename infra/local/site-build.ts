import { createHash } from 'node:crypto'
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { spawnChild } from './child.ts'
import { StartProblem } from './problem.ts'

type Options = { root: string; dataDir: string; publicEnv: Record<string, string> }

const sources = new Bun.Glob('{site,core}/**/*')
const ignored = /(^|\/)(\.astro|dist|node_modules)\/|\.test(-d)?\.tsx?$/

/** The built pages in `DATA_DIR/site`; rebuilt only when one of their inputs has changed. */
export async function buildSite({ root, dataDir, publicEnv }: Options): Promise<string> {
  const outDir = join(dataDir, 'site')
  const hashFile = join(dataDir, 'site.hash')
  const hash = inputsHash(root, publicEnv)
  if (existsSync(join(outDir, 'index.html')) && readIf(hashFile) === hash) return outDir
  const half = join(dataDir, 'site.new')
  rmSync(half, { recursive: true, force: true })
  const child = spawnChild([process.execPath, '--bun', 'astro', 'build', '--outDir', half], {
    // Where the output's path begins with this one, Astro loads what it renders from there; only below it
    // are our packages found.
    cwd: join(root, 'site'),
    env: { ...process.env, ...publicEnv, NODE_ENV: 'production', ASTRO_TELEMETRY_DISABLED: '1' },
  })
  if ((await child.exited) !== 0) throw new StartProblem(`The site could not be built:\n${child.tail()}`)
  rmSync(outDir, { recursive: true, force: true })
  renameSync(half, outDir)
  writeFileSync(hashFile, hash)
  return outDir
}

/**
 * Changes with anything that goes into the pages.
 * @internal
 */
export function inputsHash(root: string, publicEnv: Record<string, string>): string {
  const hash = createHash('sha256').update(JSON.stringify(publicEnv))
  const files = [...sources.scanSync({ cwd: root, dot: false })].filter((file) => !ignored.test(file)).sort()
  for (const file of [...files, 'package.json', 'bun.lock'])
    hash.update(`\n${file}\n`).update(readFileSync(join(root, file)))
  return hash.digest('hex')
}

const readIf = (file: string): string | undefined =>
  existsSync(file) ? readFileSync(file, 'utf8') : undefined
