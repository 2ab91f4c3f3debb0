import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The module of each program, by the name of its bundle. */
export type Programs = Record<string, string>

/** The API with the programs and threads that it starts, which have to lie beside it; one prints pictures, with its library. */
export const apiPrograms = {
  api: 'api/main.ts',
  'card-printer': 'api/content/card-printer.ts',
  maker: 'api/exports/maker.ts',
  'signature-thread': 'core/server/signature-thread.ts',
} as const satisfies Programs

/** Files of db/ that the program reads which migrates. */
export const besideMigrate = ['generated', 'rules.sql', 'roles.sql']

/** Bundles each program into one file of `dir`; they need the native packages and the migrations beside them.
 * Answers with the bytes of each. */
export async function bundlePrograms(
  entries: Programs,
  { root, dir, nodeEnv }: { root: string; dir: string; nodeEnv: string },
): Promise<Map<string, number>> {
  mkdirSync(dir, { recursive: true })
  const sizes = new Map<string, number>()
  for (const [name, entry] of Object.entries(entries)) {
    const built = await Bun.build({
      entrypoints: [join(root, entry)],
      target: 'bun',
      external: ['@node-rs/argon2', 'pg-native'],
      naming: { entry: `${name}.js`, asset: '[name].[ext]' },
      // Else the bundler writes in that this is development, whatever the program is started with.
      define: { 'process.env.NODE_ENV': JSON.stringify(nodeEnv) },
      outdir: dir,
      throw: true,
    })
    sizes.set(name, built.outputs[0]?.size ?? 0)
  }
  return sizes
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
export function programsHash(root: string, settings = ''): string {
  const hash = createHash('sha256').update(`${Bun.version}\n${settings}`)
  for (const file of [...programSources(root), 'package.json', 'bun.lock', 'tsconfig.json'])
    hash.update(`\n${file}\n`).update(readFileSync(join(root, file)))
  return hash.digest('hex')
}
