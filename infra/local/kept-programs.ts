import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { apiPrograms, type Programs, programsHash } from '../docker/bundle-programs.ts'
import { spawnChild } from './child.ts'

/** What a start runs, itself included, and the threads of these. */
export const startPrograms = {
  ...apiPrograms,
  worker: 'worker/main.ts',
  start: 'infra/local/run-start.ts',
  'site-main': 'infra/local/site-main.ts',
} as const satisfies Programs

/** As the programs see it whom nobody tells another one. */
export const nodeEnv = process.env.NODE_ENV || 'development'

export type KeptPrograms = {
  /** The file to run or to import: of the bundle, or of the sources where nobody has bundled them yet. */
  moduleOf: (name: keyof typeof startPrograms) => string
  /** Bundles them for the next start, beside everything else and at a lower priority. */
  keepForNext: () => void
}

/** The programs in `DATA_DIR/programs`, by the hash of what goes into them: others than these sources are never run. */
export function keptPrograms(root: string, dataDir: string): KeptPrograms {
  const dir = join(dataDir, 'programs', programsHash(root, `${root}\n${nodeEnv}`))
  const isKept = existsSync(dir)
  return {
    moduleOf: (name) => (isKept ? join(dir, `${name}.js`) : join(root, startPrograms[name])),
    // Never by a bundle, whose own list of children would not be the one that is stopped.
    keepForNext: () => {
      if (isKept) return
      spawnChild([process.execPath, join(root, 'infra/local/keep-programs.ts'), dir], { env: process.env })
    },
  }
}
