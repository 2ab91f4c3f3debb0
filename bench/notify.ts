import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from '../core/server/env.ts'
import { connect } from '../db/index.ts'
import { prepareDatabase } from '../db/prepare.ts'
import { noteBackupFailed } from '../e2e/lab/backup-notes.ts'
import { openTestChain, operator } from '../e2e/lab/chain.ts'
import { addWebhook, channelKey } from '../e2e/lab/channels.ts'
import { makeCertificate, startReceiver } from '../e2e/lab/receivers.ts'
import { redisServer, startRedis } from '../e2e/lab/redis.ts'
import { startWorkerProcess } from '../e2e/lab/worker-process.ts'
import { startPostgres } from '../infra/local/postgres.ts'
import { judged, median, percentile, printTable } from './lib/figures.ts'

const goalMs = 3_000
const hookPath = '/hook'

/**
 * From the commit of what has happened to its message at a real https receiver, by a real worker, one thing at a time:
 * `bun run bench notify [count]`. A second receiver that never answers has a message of each as well. The floor is the same
 * request without worker, queue and database.
 */
export async function bench([count = '100']: string[]): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'blockdraw-bench-'))
  // mkdtemp keeps others out, and Postgres runs as another user when we are root
  if (process.getuid?.() === 0) chmodSync(dataDir, 0o755)
  const tls = makeCertificate(['localhost'])
  const trusted = join(dataDir, 'ca.pem')
  writeFileSync(trusted, tls.cert)
  const [server, chain, receiver] = await Promise.all([
    startPostgres({ dataDir }),
    openTestChain(),
    startReceiver(tls),
  ])
  const redis = redisServer ? await startRedis() : undefined
  await prepareDatabase({
    ...{ databaseUrl: server.url, env: parseEnv({}), operatorWallet: operator },
  })
  const { db, close } = connect(server.url, { max: 2, name: 'blockdraw bench' })
  const url = `https://localhost:${receiver.port}`
  receiver.answer = ({ path }, response) => {
    if (path === hookPath) response.end()
  }
  await addWebhook(db, `${url}${hookPath}`)
  await addWebhook(db, `${url}/silent`)
  /** Waits for one more request to the receiver that answers. */
  const arrivals = () => receiver.received.filter(({ path }) => path === hookPath).length
  const arrived = async (before: number) => {
    while (arrivals() <= before) await receiver.until(receiver.received.length + 1)
  }
  const bare = await timedEach(Number(count), async () => {
    const before = arrivals()
    const posted = fetch(`${url}${hookPath}`, { method: 'POST', tls: { ca: tls.cert } })
    await arrived(before)
    await posted
  })
  const rows = [{ way: 'bare request', ...figures(bare), goal: '' }]
  let hours = 0
  for (const [name, redisUrl] of Object.entries({
    Postgres: undefined,
    ...(redis && { Redis: redis.url }),
  })) {
    const worker = await startWorkerProcess({
      ...{ databaseUrl: server.url, redisUrl, rpcUrls: chain.url },
      more: { NODE_EXTRA_CA_CERTS: trusted, SECRET_KEY: channelKey },
    })
    const took = await timedEach(Number(count), async () => {
      const before = arrivals()
      await noteBackupFailed(db, 'make', new Date(++hours * 3_600_000))
      await arrived(before)
    })
    await worker.stop()
    const told = figures(took)
    rows.push({ way: `worker, queue on ${name}`, ...told, goal: judged(told['p99 ms'] < goalMs, '< 3 s') })
  }
  await close()
  await Promise.all([chain.stop(), server.stop(), redis?.stop(), receiver.close()])
  rmSync(dataDir, { recursive: true, force: true })
  console.log(`${count} things that happen, one after the other; from the commit to the receiver`)
  printTable(rows)
}

async function timedEach(count: number, act: () => Promise<void>): Promise<number[]> {
  const took: number[] = []
  for (let n = 0; n < count; n++) {
    const began = performance.now()
    await act()
    took.push(performance.now() - began)
  }
  return took
}

const figures = (took: readonly number[]) => ({
  'median ms': Math.round(median(took)),
  'p99 ms': Math.round(percentile(took, 0.99)),
  'max ms': Math.round(Math.max(...took)),
})
