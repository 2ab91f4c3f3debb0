import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { buildVerifier } from '../cli/verify.ts'

/** `bun infra/docker/bundle.ts DIR`: each program of the server image as one file, with migrations and the
 * native package; `verifiers/` has both verifiers and their SHA-256. */
const root = resolve(import.meta.dirname, '../..')
const out = resolve(process.argv[2] ?? 'out')
/** The module of each program; the API starts the three behind it, which have to lie beside it. */
const programs = {
  api: 'api/main.ts',
  'card-printer': 'api/content/card-printer.ts',
  maker: 'api/exports/maker.ts',
  'signature-thread': 'core/server/signature-thread.ts',
  worker: 'worker/main.ts',
  migrate: 'db/migrate.ts',
  admin: 'infra/cli/admin.ts',
  health: 'infra/docker/health.ts',
}

mkdirSync(out, { recursive: true })
for (const [name, entry] of Object.entries(programs)) {
  const built = await Bun.build({
    entrypoints: [join(root, entry)],
    target: 'bun',
    external: ['@node-rs/argon2', 'pg-native'],
    naming: { entry: `${name}.js`, asset: '[name].[ext]' },
    // Else the bundler writes in that this is development, whatever the program is started with.
    define: { 'process.env.NODE_ENV': '"production"' },
    outdir: out,
    throw: true,
  })
  console.log(`${name}.js ${Math.round((built.outputs[0]?.size ?? 0) / 1024)} KiB`)
}
for (const beside of ['generated', 'rules.sql', 'roles.sql'])
  cpSync(join(root, 'db', beside), join(out, beside), { recursive: true })
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
