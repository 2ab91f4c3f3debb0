import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { afterAll, describe, expect, test } from 'vitest'
import { serveMetrics } from '../../core/server/metrics-server.ts'
import { closeAll, startApi } from '../../e2e/lab/api-process.ts'
import { testDb } from '../../e2e/lab/database.ts'
import { openDrawWorld } from '../../e2e/lab/draw-story.ts'
import { eachQueue } from '../../e2e/lab/each-queue.ts'
import { canWatch, openNightWatch } from '../../e2e/lab/night-watch.ts'
import { until } from '../../e2e/lab/until.ts'
import { connectChain } from '../../worker/chain/index.ts'
import { createMetrics } from '../../worker/metrics.ts'
import { createBackupMetrics } from '../cli/backup/metrics.ts'
import { freePort } from '../local/ports.ts'
import { serveSite } from '../local/site-server.ts'

const log = pino({ level: 'silent' })
const dashboard = JSON.parse(
  readFileSync(join(import.meta.dirname, '../grafana/blockdraw.json'), 'utf8'),
) as {
  panels: { title: string; targets?: { expr: string }[] }[]
}
/** Series that this story has no cause for: nothing is refunded, no endpoint fails, no message is sent, and the site has no certificate. */
const silent = [/refund_rows/, /rpc_errors/, /notification_attempts/, /ssl_earliest/]

// Debian has prometheus, prometheus-alertmanager, prometheus-blackbox-exporter, prometheus-node-exporter; elsewhere there is none to ask.
describe.skipIf(!canWatch)('the night watch', () => {
  afterAll(closeAll)

  test('tells who waits for it what is wrong, from the figures of a real api to the address that is paged', async () => {
    const database = await testDb()
    const world = await openDrawWorld({ database })
    const api = await startApi(database.url)
    await api.ready
    const dir = mkdtempSync(join(tmpdir(), 'blockdraw-site-'))
    mkdirSync(dir, { recursive: true })
    writeFileSync(join(dir, 'index.html'), '<!doctype html><title>raffle</title>')
    const site = serveSite({ dir, port: 0, apiUrl: api.url, token: 'of this test' })
    await world.sell()
    await world.mine(3)
    await world.scan()

    // As check:compose has it: one provider, which is believed.
    const chain = connectChain([world.url], 56, { isUnsafe: true })
    await chain.latest()
    const worker = createMetrics({ ...world.deps, chain, jobs: quietQueue, rpcBudget: 1_000_000 })
    worker.count('scan', 'done', 5)
    const backups = createBackupMetrics({ everySeconds: 3_600 })
    const at = new Date().toISOString()
    const made = { name: 'x', at, bytes: 1, rows: 1 }
    const state = () => ({ made, sent: made, rehearsed: { name: 'x', at, problem: null } })
    const [workerFigures, backupFigures] = [
      await serve(worker),
      await serve({ ...backups, read: () => backups.read({ state, hasBucket: true }) }),
    ]
    const watch = await openNightWatch({
      siteUrl: `http://127.0.0.1:${site.port}`,
      targets: {
        'blockdraw-api': [new URL(api.metrics).host],
        'blockdraw-worker': [workerFigures.target],
        'blockdraw-backup': [backupFigures.target],
      },
    })
    try {
      const told = (to: string, alert: string) => () => watch.alertsTo(to).includes(alert)
      const unheard = (alert: string) => () => `${alert} was not told:\n${watch.words()}`
      await until(told('heartbeat', 'Heartbeat'), unheard('Heartbeat'), 40_000)
      await until(told('ticket', 'RpcUnsafe'), unheard('RpcUnsafe'), 40_000)
      await until(() => watch.ask('probe_success == 1'), 'a visit of the site', 40_000)

      await guess(api.url)
      const exprs = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
      const heard = exprs.filter((expr) => !silent.some((name) => name.test(expr)))
      for (const expr of exprs) await watch.ask(expr)
      for (const expr of heard) await until(() => watch.ask(expr), `an answer to ${expr}`, 40_000)

      // What was told while some of it did not run yet is taken back.
      for (const alert of ['ApiGone', 'SiteDown', 'BackupOld', 'DatabaseGone', 'WorkersGone'])
        await until(() => !watch.alertsTo('page').includes(alert), `an end of ${alert}`, 40_000)
      expect(watch.alertsTo('ticket')).not.toContain('BackupsStayHere')
      api.process.kill('SIGKILL')
      await until(told('page', 'ApiGone'), unheard('ApiGone'), 40_000)
      await until(told('page', 'SiteDown'), unheard('SiteDown'), 40_000)
      const down = watch.delivered.find(({ alert }) => alert === 'SiteDown')
      expect(down?.labels).toMatchObject({
        severity: 'page',
        instance: `http://127.0.0.1:${site.port}/api/ready`,
      })
      await backupFigures.stop()
      await until(told('page', 'BackupOld'), unheard('BackupOld'), 40_000)
    } finally {
      await watch.close()
      await Promise.all([site.stop(true), workerFigures.stop(), backupFigures.stop(), world.close()])
      rmSync(dir, { recursive: true, force: true })
    }
  })

  test('does not start without an address to tell, and shows none in its arguments', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'blockdraw-told-'))
    const start = (env: Record<string, string>) =>
      Bun.spawnSync(['sh', join(import.meta.dirname, 'start-alertmanager.sh')], {
        env: {
          ...{ PATH: `${process.env.PATH}`, TMPDIR: dir, ALERTMANAGER: 'echo' },
          ALERTMANAGER_CONFIG: join(import.meta.dirname, 'alertmanager.yaml'),
          ...env,
        },
      })
    expect(start({})).toMatchObject({ exitCode: 1 })
    expect(start({}).stderr.toString()).toContain('ALERT_PAGE_URL is not set')
    const secret = join(dir, 'page_url')
    writeFileSync(secret, 'https://told.example/token?a=1&b=|2\n')
    const started = start({ ALERT_PAGE_URL_FILE: secret })
    expect(started.exitCode).toBe(0)
    expect(started.stdout.toString()).not.toContain('told.example')
    const made = readFileSync(join(dir, 'alertmanager.yaml'), 'utf8')
    const { receivers } = Bun.YAML.parse(made) as { receivers: unknown[] }
    const hook = { url: 'https://told.example/token?a=1&b=|2' }
    expect(receivers).toEqual([
      { name: 'page', webhook_configs: [hook] },
      { name: 'ticket', webhook_configs: [hook] },
      { name: 'heartbeat', webhook_configs: [] },
    ])
    expect(Bun.spawnSync(['amtool', 'check-config', join(dir, 'alertmanager.yaml')]).exitCode).toBe(0)
    rmSync(dir, { recursive: true })
  })
})

/** A login that is refused, as its figure counts none before. */
async function guess(url: string): Promise<void> {
  const body = JSON.stringify({ username: 'owner', password: 'a guess' })
  const headers = { 'content-type': 'application/json' }
  const { status } = await fetch(`${url}/api/admin/login`, { method: 'POST', headers, body })
  expect(status).toBe(401)
}

const quietQueue = {
  counts: async () => eachQueue({ waiting: 0, active: 0, delayed: 0 }),
  ages: async () => eachQueue(0),
  memory: async () => ({ usedBytes: 1, limitBytes: 200 }),
}

async function serve({ read, contentType }: { read: () => Promise<string>; contentType: string }) {
  const port = await freePort()
  const server = serveMetrics({ port, hostname: '127.0.0.1', read, contentType, log })
  return { target: `127.0.0.1:${port}`, stop: async () => server?.stop(true) }
}
