import { chownSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import postgres from 'postgres'
import { type Child, spawnChild } from './child.ts'
import { keptSecret } from './kept-secret.ts'
import { freePort } from './ports.ts'
import { clusterDir, localUrl, type PostgresUser, postgresBinaries, postgresUser } from './postgres-place.ts'
import { StartProblem } from './problem.ts'
import { endLeftover, noteGroup } from './stale-process.ts'

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
    const outcome = await Promise.race([
      ready.then(() => 'ready' as const),
      child.exited.then(() => 'ended' as const),
      late(deadline - Date.now()),
    ])
    if (outcome === 'ready') return child
    await child.stop()
    if (outcome === 'late' || Date.now() > deadline - 20_000 || !isHeldByAnother(child.tail()))
      throw new StartProblem(`Postgres did not start in ${run.cluster}:\n${child.tail()}`)
    await Bun.sleep(100)
  }
}

const late = (ms: number): Promise<'late'> =>
  new Promise((resolve) => setTimeout(resolve, ms, 'late').unref())

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
