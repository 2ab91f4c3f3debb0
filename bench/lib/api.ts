import { parseEnv } from '../../core/server/env.ts'
import { connect } from '../../db/index.ts'
import { prepareDatabase } from '../../db/prepare.ts'
import { builtProgram } from '../../e2e/lab/built-programs.ts'
import { freePort } from '../../infra/local/ports.ts'
import { ownPostgres } from './database.ts'
import { pinned } from './pinned.ts'

const operator = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

type Database = { databaseUrl: string; dataDir: string }

/** The API as in production: its bundle in a process on core 0 with its own database, which may lose what it has committed unless it is `durable`. */
export async function startApi({ durable = false } = {}) {
  const { stop: stopDatabase, ...database } = await startDatabase({ durable })
  const api = await startApiOn(database, 0)
  return {
    ...database,
    ...api,
    stop: async () => {
      await api.stop()
      await stopDatabase()
    },
  }
}

/** A database with an event. */
export async function startDatabase({ durable = false } = {}) {
  const { dataDir, url: databaseUrl, close } = await ownPostgres({ durable })
  await prepareDatabase({ databaseUrl, env: parseEnv({}), operatorWallet: operator })
  const connection = connect(databaseUrl, { max: 2, name: 'blockdraw bench' })
  return {
    dataDir,
    databaseUrl,
    db: connection.db,
    stop: async () => {
      await connection.close()
      await close()
    },
  }
}

/** One API process on a database that others may share, on a core or on any. */
export async function startApiOn({ databaseUrl, dataDir }: Database, core: 0 | null) {
  const port = await freePort()
  const api = pinned(core, [process.execPath, await builtProgram('api')], {
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    API_PORT: `${port}`,
    METRICS_PORT: `${await freePort()}`,
    SECRET_KEY: 'a key for benchmarks, 32 characters or more',
    // All loaders share one address, so a header names the visitor of each stream.
    TRUSTED_PROXIES: '127.0.0.0/8',
    ALLOWED_ORIGINS: 'https://raffle.example',
    NODE_ENV: 'production',
    LOG_LEVEL: 'info',
  })
  for (let log = await api.next<{ msg: string }>(); log.msg !== 'api is ready'; log = await api.next());
  return { url: `http://127.0.0.1:${port}`, port, pid: api.pid, stop: api.stop }
}
