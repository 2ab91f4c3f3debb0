import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../../infra/local/ports.ts'
import { until } from '../../lab/until.ts'
import { root, type Stack } from '../stack.ts'

const programs = ['prometheus', 'prometheus-alertmanager']

/**
 * Prometheus reads the running containers by the product's rules, Alertmanager sends what fires, and a receiver
 * gets it: RpcUnsafe, as one provider is all that this chain has.
 */
export async function tellsTheReceiver(stack: Stack): Promise<string> {
  const missing = programs.filter((name) => !Bun.which(name))
  if (missing.length)
    return `alert: not tried, as ${missing.join(' and ')} (Debian's packages) are not installed`
  const dir = join(stack.dir, 'alert')
  mkdirSync(dir)
  const received: string[] = []
  const receiver = Bun.serve({
    ...{ port: 0, hostname: '127.0.0.1' },
    fetch: async (request) => {
      const { alerts } = (await request.json()) as { alerts: { labels: { alertname: string } }[] }
      received.push(...alerts.map(({ labels }) => labels.alertname))
      return new Response()
    },
  })
  const [alertPort, gossipless, port] = [await freePort(), '', await freePort()]
  const targets = async (service: string, metricsPort: number) =>
    (await stack.plain.addresses(service)).map((address) => `${address}:${metricsPort}`)
  const jobs = [
    { job_name: 'blockdraw-api', static_configs: [{ targets: await targets('api', 9464) }] },
    { job_name: 'blockdraw-worker', static_configs: [{ targets: await targets('worker', 9465) }] },
  ]
  const prometheus = {
    global: { scrape_interval: '2s', evaluation_interval: '2s' },
    rule_files: [join(root, 'infra/alerts/blockdraw.yaml')],
    alerting: { alertmanagers: [{ static_configs: [{ targets: [`127.0.0.1:${alertPort}`] }] }] },
    scrape_configs: jobs,
  }
  const alertmanager = {
    route: { receiver: 'phone', group_wait: '0s', group_interval: '1s' },
    receivers: [{ name: 'phone', webhook_configs: [{ url: `http://127.0.0.1:${receiver.port}/` }] }],
  }
  // JSON is YAML.
  writeFileSync(join(dir, 'prometheus.yml'), JSON.stringify(prometheus))
  writeFileSync(join(dir, 'alertmanager.yml'), JSON.stringify(alertmanager))
  const running = [
    [
      'prometheus-alertmanager',
      '--config.file=alertmanager.yml',
      `--storage.path=${join(dir, 'am')}`,
      `--web.listen-address=127.0.0.1:${alertPort}`,
      `--cluster.listen-address=${gossipless}`,
    ],
    [
      'prometheus',
      '--config.file=prometheus.yml',
      `--storage.tsdb.path=${join(dir, 'tsdb')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
  ].map((command) => Bun.spawn(command, { cwd: dir, stdout: 'ignore', stderr: Bun.file(join(dir, 'log')) }))
  try {
    const waited = await until(
      () => received.includes('RpcUnsafe'),
      () => `RpcUnsafe among ${received}`,
      120_000,
    )
    return `alert: the receiver got ${[...new Set(received)].join(', ')} after ${(waited / 1000).toFixed(0)} s`
  } finally {
    for (const child of running) child.kill()
    await Promise.all(running.map(({ exited }) => exited))
    await receiver.stop(true)
  }
}
