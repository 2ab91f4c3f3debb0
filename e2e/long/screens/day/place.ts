import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runAdmin } from '../../../../infra/cli/admin.ts'
import { fundKey, newKey } from '../../../../infra/local/anchor-key.ts'
import { startPostgres } from '../../../../infra/local/postgres.ts'
import { makeCertificate, startReceiver } from '../../../lab/receivers.ts'
import { startStack } from '../../../lab/stack.ts'

export type Place = Awaited<ReturnType<typeof openPlace>>

/**
 * A house as an operator finds it on the first day: all of it runs, the wallet is named and not proven, and the server
 * has printed a password. `printed` is what it has said.
 */
export async function openPlace() {
  const dataDir = mkdtempSync(join(tmpdir(), 'blockdraw-day-'))
  chmodSync(dataDir, 0o755) // as root, Postgres runs as another user
  const tls = makeCertificate(['localhost'])
  writeFileSync(join(dataDir, 'ca.pem'), tls.cert)
  const receiver = await startReceiver(tls)
  const postgres = await startPostgres({ dataDir, durable: false })
  const anchorKey = newKey()
  const stack = await startStack({
    database: { url: postgres.url, close: async () => undefined },
    rpcUrls: (url) => {
      // The worker looks at its key when it starts, and then once an hour.
      void fundKey(url, anchorKey)
      return url
    },
    env: {
      SALE_LEAD_SECONDS: '10',
      AUTO_DRAW: 'false',
      ANCHOR_KEY: anchorKey,
      PUBLIC_SITE_URL: 'https://raffle.example',
      NODE_EXTRA_CA_CERTS: join(dataDir, 'ca.pem'),
    },
  })
  const printed = await runAdmin(stack.db, ['reset-password', 'admin'])
  return {
    ...{ stack, receiver, printed, dataDir },
    close: async () => {
      await stack.stop()
      await postgres.stop()
      await receiver.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
