import { existsSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { setPriority } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { besideMigrate, bundlePrograms } from '../docker/bundle-programs.ts'
import { nodeEnv, startPrograms } from './kept-programs.ts'
import { keepNewest } from './site-build.ts'

/** `bun infra/local/keep-programs.ts DIR`: the programs of a start in DIR, which is there whole or not at all. */
const root = resolve(import.meta.dirname, '../..')
const dir = resolve(process.argv[2] ?? 'out')
const half = `${dir}.new`
setPriority(19) // somebody uses what has just started
rmSync(half, { recursive: true, force: true })
await bundlePrograms(startPrograms, { root, dir: half, nodeEnv })
symlinkSync(join(root, 'node_modules'), join(half, 'node_modules'))
for (const beside of besideMigrate) symlinkSync(join(root, 'db', beside), join(half, beside))
if (!existsSync(dir)) renameSync(half, dir)
keepNewest(dirname(dir))
