import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { tell } from '../../db/notify/tell.ts'
import { deliveries } from '../../db/schema/index.ts'
import { addWebhook, channelKey } from '../../e2e/lab/channels.ts'
import { forTest } from '../../e2e/lab/opened.ts'
import { makeCertificate, startReceiver } from '../../e2e/lab/receivers.ts'
import { openSale } from '../../e2e/lab/sale.ts'
import { startWorkerProcess } from '../../e2e/lab/worker-process.ts'

test('a worker without SECRET_KEY says so and leaves messages to one that has it', async () => {
  const tls = makeCertificate(['localhost'])
  const dir = mkdtempSync(join(tmpdir(), 'blockdraw-ca-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  writeFileSync(join(dir, 'ca.pem'), tls.cert)
  const receiver = await forTest(startReceiver(tls))
  const sale = await forTest(openSale())
  const start = (secretKey: string) =>
    startWorkerProcess({
      ...{ databaseUrl: sale.databaseUrl, rpcUrls: sale.chain.url },
      more: { NODE_EXTRA_CA_CERTS: join(dir, 'ca.pem'), SECRET_KEY: secretKey, LOG_LEVEL: 'info' },
    })
  await addWebhook(sale.db, `https://localhost:${receiver.port}/`)
  const without = await forTest(start(''))
  await tell(sale.db, 'wallet_changed', {})
  expect(without.tail()).toContain('no SECRET_KEY')
  // It never looks into the queue.
  expect(without.tail()).toMatch(/"queues":\[(?!.*"notify")[^\]]+\].*worker is ready/)
  const rows = () => sale.db.select().from(deliveries)
  expect(await rows()).toMatchObject([{ state: 'waiting', triedAt: null }])
  await forTest(start(channelKey))
  await receiver.until(1)
  await expect.poll(rows, { timeout: 10_000 }).toMatchObject([{ state: 'sent', problem: null }])
})
