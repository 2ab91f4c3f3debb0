import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { buildVerifier } from '../cli/verify.ts'
import { apiPrograms, besideMigrate, bundlePrograms, type Programs } from './bundle-programs.ts'

/** `bun infra/docker/bundle.ts DIR`: each program of the server image as one file, with migrations and the
 * native package; `verifiers/` has both verifiers and their SHA-256. */
const root = resolve(import.meta.dirname, '../..')
const out = resolve(process.argv[2] ?? 'out')
const programs: Programs = {
  ...apiPrograms,
  worker: 'worker/main.ts',
  migrate: 'db/migrate.ts',
  admin: 'infra/cli/admin.ts',
  health: 'infra/docker/health.ts',
}

for (const [name, bytes] of await bundlePrograms(programs, { root, dir: out, nodeEnv: 'production' }))
  console.log(`${name}.js ${Math.round(bytes / 1024)} KiB`)
for (const beside of besideMigrate) cpSync(join(root, 'db', beside), join(out, beside), { recursive: true })
const native = [...new Bun.Glob('node_modules/@node-rs/argon2*').scanSync({ cwd: root, onlyFiles: false })]
for (const path of native) cpSync(join(root, path), join(out, path), { recursive: true, dereference: true })

const verifiers = join(out, 'verifiers')
mkdirSync(verifiers, { recursive: true })
cpSync(join(root, 'infra/cli/verify.py'), join(verifiers, 'verify.py'))
const python = createHash('sha256')
  .update(readFileSync(join(verifiers, 'verify.py')))
  .digest('hex')
const script = await buildVerifier(join(verifiers, 'verify.mjs'))
writeFileSync(join(verifiers, 'SHA256SUMS'), `${script}  verify.mjs\n${python}  verify.py\n`)
