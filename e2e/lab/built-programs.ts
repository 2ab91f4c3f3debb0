import { createHash } from 'node:crypto'
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { keptBuild } from './kept-build.ts'

export type Program = 'api' | 'worker' | 'migrate'

const root = resolve(import.meta.dirname, '../..')
let programs: Promise<string> | undefined

/** The file of a program as the image has it, in one piece, which starts in a third of the time. */
export async function builtProgram(name: Program): Promise<string> {
  programs ??= keptBuild('programs', programsHash(root), bundle)
  return join(await programs, `${name}.js`)
}

async function bundle(dir: string): Promise<string> {
  const out = join(dir, 'out')
  if (existsSync(out)) return out
  const half = join(dir, 'new')
  rmSync(half, { recursive: true, force: true })
  const child = Bun.spawn([process.execPath, join(root, 'infra/docker/bundle.ts'), half], {
    stdout: 'ignore',
    stderr: 'pipe',
  })
  const trouble = await new Response(child.stderr).text()
  if ((await child.exited) !== 0) throw new Error(`The programs could not be bundled:\n${trouble}`)
  renameSync(half, out)
  return out
}

/** Each by itself: a path with a slash among braces finds nothing. */
const places = ['core', 'db', 'api', 'worker', 'infra', 'site/src', 'site/build']
const isTest = /\.test(-d)?\.tsx?$/

/** Every file of which the programs could be made, by its path in the checkout. @internal */
export const programSources = (root: string): string[] =>
  places
    .flatMap((place) => [...new Bun.Glob(`${place}/**/*`).scanSync({ cwd: root })])
    .filter((file) => !isTest.test(file))
    .sort()

/** Changes with anything that goes into the programs: with another one they are bundled anew. */
function programsHash(root: string): string {
  const hash = createHash('sha256').update(`${Bun.version}\n`)
  for (const file of [...programSources(root), 'package.json', 'bun.lock', 'tsconfig.json'])
    hash.update(`\n${file}\n`).update(readFileSync(join(root, file)))
  return hash.digest('hex')
}
