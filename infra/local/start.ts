import { resolve } from 'node:path'
import { keptPrograms } from './kept-programs.ts'

/** `bun run start`: the whole system on this machine, until Ctrl-C. From the bundles that an earlier start
 * has left, which load in a third of the time, else from the sources. */
const root = resolve(import.meta.dirname, '../..')
const dataDir = resolve(root, process.env.DATA_DIR || '.data')
const programs = keptPrograms(root, dataDir)
const { runStart }: typeof import('./run-start.ts') = await import(programs.moduleOf('start'))
await runStart({ root, programs })
