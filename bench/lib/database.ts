import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../../infra/local/postgres.ts'

/** An empty Postgres of its own, which may lose what it has committed unless it is `durable`. */
export async function ownPostgres({ durable = true } = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'blockdraw-bench-'))
  // mkdtemp keeps others out, and Postgres runs as another user when we are root.
  chmodSync(dataDir, 0o755)
  const server = await startPostgres({ dataDir, durable })
  return {
    dataDir,
    url: server.url,
    close: async () => {
      await server.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
