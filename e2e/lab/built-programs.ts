import { existsSync, renameSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { programsHash } from '../../infra/docker/bundle-programs.ts'
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
