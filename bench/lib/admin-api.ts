import { join } from 'node:path'
import postgres from 'postgres'
import { parseEnv } from '../../core/server/env.ts'
import { prepareDatabase } from '../../db/prepare.ts'
import { ownPostgres } from './database.ts'
import { pinned } from './pinned.ts'

export const admin = { username: 'admin', password: 'a password for benchmarks' }
export type Seen = { longestMs: number; longestOwnMs: number; peak: number; rss: number }

/** A database with an event and an administrator, and watched APIs that use it. */
export async function openAdminApi() {
  const server = await ownPostgres({ durable: false })
  const env = parseEnv({ ADMIN_USERNAME: admin.username, ADMIN_PASSWORD: admin.password })
  await prepareDatabase({ databaseUrl: server.url, env, operatorWallet: `0x${'0f'.repeat(20)}` })
  const sql = postgres(server.url, { max: 1, onnotice: () => undefined })

  async function startApi(core: 0 | null = 0) {
    const script = join(import.meta.dir, 'watched-api.ts')
    const child = pinned(core, [process.execPath, script, server.url])
    const { port, watchPort } = await child.next<{ port: number; watchPort: number }>()
    return {
      url: `http://127.0.0.1:${port}`,
      /** Measurements since the last call. */
      seen: async () => (await (await fetch(`http://127.0.0.1:${watchPort}`)).json()) as Seen,
      stop: child.stop,
    }
  }
  return {
    sql,
    databaseUrl: server.url,
    startApi,
    close: async () => {
      await sql.end()
      await server.close()
    },
  }
}
