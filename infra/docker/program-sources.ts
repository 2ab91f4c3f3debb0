import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

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
export function programsHash(root: string, settings = ''): string {
  const hash = createHash('sha256').update(`${Bun.version}\n${settings}`)
  for (const file of [...programSources(root), 'package.json', 'bun.lock', 'tsconfig.json'])
    hash.update(`\n${file}\n`).update(readFileSync(join(root, file)))
  return hash.digest('hex')
}
