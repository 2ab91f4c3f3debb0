import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { buildVerifier } from '../cli/verify.ts'

/**
 * `bun infra/docker/bundle.ts DIR`: bundles each program of the server image into one file, with the
 * migrations and the one native package beside them. A few megabytes instead of all of node_modules. `verifiers/` holds
 * both verifiers as files that anybody can keep, and their SHA-256 as `sha256sum -c` reads them.
 */
const root = resolve(import.meta.dirname, '../..')
const out = resolve(process.argv[2] ?? 'out')
type Programs = Record<string, string>
const programs: Programs = {
  api: 'api/main.ts',
  maker: 'api/exports/maker.ts',
  'compare-thread': 'api/auth/compare-thread.ts',
  'signature-thread': 'core/server/signature-thread.ts',
  worker: 'worker/main.ts',
  migrate: 'db/migrate.ts',
  backup: 'infra/cli/backup.ts',
  'backup-service': 'infra/cli/backup-service.ts',
  restore: 'infra/cli/restore.ts',
  admin: 'infra/cli/admin.ts',
  health: 'infra/docker/health.ts',
}

/** In the image of the pages; the second prints pictures, with the library that lies beside it. */
const publisher: Programs = {
  publish: 'infra/publish/main.ts',
  'share-thread': 'infra/publish/share/share-thread.ts',
}

await bundle(programs, out)
await bundle(publisher, join(out, 'publisher'))
cpSync(join(root, 'db/migrations'), join(out, 'migrations'), { recursive: true })
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

async function bundle(entries: Programs, dir: string): Promise<void> {
  mkdirSync(dir, { recursive: true })
  for (const [name, entry] of Object.entries(entries)) {
    const built = await Bun.build({
      entrypoints: [join(root, entry)],
      target: 'bun',
      external: ['@node-rs/argon2', 'pg-native'],
      naming: { entry: `${name}.js`, asset: '[name].[ext]' },
      // Else the bundler writes in that this is development, whatever the image is started with.
      define: { 'process.env.NODE_ENV': '"production"' },
      outdir: dir,
      throw: true,
    })
    console.log(`${name}.js ${Math.round((built.outputs[0]?.size ?? 0) / 1024)} KiB`)
  }
}
