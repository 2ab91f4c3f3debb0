import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Child, spawnChild } from '../../infra/local/child.ts'
import { freePort } from '../../infra/local/ports.ts'
import { until } from './until.ts'

const infra = resolve(import.meta.dirname, '../../infra')
const read = <T>(file: string): T => Bun.YAML.parse(readFileSync(join(infra, file), 'utf8')) as T

/** Debian's names; the public images call the first by its own alone. */
const programs = {
  prometheus: Bun.which('prometheus'),
  alertmanager: Bun.which('prometheus-alertmanager') ?? Bun.which('alertmanager'),
  probe: Bun.which('prometheus-blackbox-exporter'),
  machine: Bun.which('prometheus-node-exporter'),
}
/** True where everything of compose's profile `monitoring` but Grafana is installed. */
export const canWatch: boolean = Object.values(programs).every(Boolean)

type Job = { job_name: string } & Record<string, unknown>
type PrometheusFile = { global: object; rule_files: string[]; alerting: object; scrape_configs: Job[] }
type RulesFile = { groups: { rules: { for?: string }[] }[] }
type Route = { routes?: Route[] } & Record<string, unknown>
type Delivered = { receiver: string; alerts: { status: string; labels: Record<string, string> }[] }

/**
 * Prometheus, Alertmanager and both exporters as the profile `monitoring` runs them, with our files, but at once:
 * nothing waits for minutes, and the names of containers are ports. What is told arrives here.
 */
export async function openNightWatch(told: { siteUrl: string; targets: Record<string, readonly string[]> }) {
  const dir = mkdtempSync(join(tmpdir(), 'blockdraw-watch-'))
  const children: Child[] = []
  const delivered: { to: string; alert: string; status: string; labels: Record<string, string> }[] = []
  const receiver = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { alerts } = (await request.json()) as Delivered
      const to = new URL(request.url).pathname.slice(1)
      for (const { status, labels } of alerts)
        delivered.push({ to, alert: labels.alertname ?? '', status, labels })
      return new Response()
    },
  })
  const run = (command: readonly (string | null)[], env: Record<string, string> = {}) =>
    children.push(spawnChild(command.map(String), { env: { PATH: process.env.PATH, ...env } }))
  const file = (name: string, content: unknown): string => {
    const path = join(dir, name)
    writeFileSync(path, JSON.stringify(content))
    return path
  }
  const [web, manager, probe, machine] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ]
  const at = (port: number) => `127.0.0.1:${port}`

  run([
    programs.machine,
    '--collector.disable-defaults',
    '--collector.filesystem',
    '--collector.timex',
    `--web.listen-address=${at(machine)}`,
  ])
  run([
    programs.probe,
    `--config.file=${join(infra, 'alerts/probe.yaml')}`,
    '--timeout-offset=0',
    `--web.listen-address=${at(probe)}`,
  ])

  const manned = read<{ route: Route }>('alerts/alertmanager.yaml')
  const hasty = ({ routes, ...route }: Route): Route => ({
    ...route,
    ...{ group_wait: '0s', group_interval: '100ms', repeat_interval: '1s' },
    ...(routes && { routes: routes.map(hasty) }),
  })
  // Each setting of a URL stands on a line of its own, as in the file that is written by hand.
  const text = readFileSync(join(infra, 'alerts/alertmanager.yaml'), 'utf8')
  const config = join(dir, 'told.yaml')
  const withoutRoute = text.replace(/^route:\n(?: .*\n)*/m, '')
  writeFileSync(config, `route: ${JSON.stringify(hasty(manned.route))}\n${withoutRoute}`)
  run(
    [
      'sh',
      join(infra, 'alerts/start-alertmanager.sh'),
      `--web.listen-address=${at(manager)}`,
      '--cluster.listen-address=',
      `--storage.path=${join(dir, 'manager')}`,
    ],
    {
      ALERTMANAGER: String(programs.alertmanager),
      ALERTMANAGER_CONFIG: config,
      ALERT_PAGE_URL: `${receiver.url}page`,
      ALERT_TICKET_URL: `${receiver.url}ticket`,
      ALERT_HEARTBEAT_URL: `${receiver.url}heartbeat`,
      TMPDIR: dir,
    },
  )

  const rules = read<RulesFile>('alerts/blockdraw.yaml')
  for (const { rules: group } of rules.groups) for (const rule of group) delete rule.for
  const scraped = read<PrometheusFile>('alerts/prometheus.yaml')
  const sites = join(dir, 'site.json')
  const { siteUrl, targets } = told
  const jobs = scraped.scrape_configs.map(({ dns_sd_configs, file_sd_configs, static_configs, ...job }) => {
    if (job.job_name === 'site')
      return {
        ...job,
        ...{ scrape_interval: '2s', scrape_timeout: '2s', file_sd_configs: [{ files: [sites] }] },
        relabel_configs: (job.relabel_configs as { replacement?: string }[]).map((rule) =>
          rule.replacement ? { ...rule, replacement: at(probe) } : rule,
        ),
      }
    return {
      ...job,
      static_configs: [{ targets: job.job_name === 'machine' ? [at(machine)] : targets[job.job_name] }],
    }
  })
  const prometheusFile = file('prometheus.yaml', {
    ...scraped,
    global: { scrape_interval: '500ms', scrape_timeout: '500ms', evaluation_interval: '500ms' },
    rule_files: [file('blockdraw.yaml', rules)],
    alerting: { alertmanagers: [{ static_configs: [{ targets: [at(manager)] }] }] },
    scrape_configs: jobs,
  })
  await until(() => answers(`http://${at(manager)}/-/ready`), 'an Alertmanager that is ready')
  // It finds Alertmanager seconds after its first alerts, and else tells them again after a minute only.
  const flags = [`--web.listen-address=${at(web)}`, '--rules.alert.resend-delay=1s']
  run(['sh', join(infra, 'alerts/start-prometheus.sh'), ...flags], {
    ...{ PUBLIC_SITE_URL: siteUrl, PROMETHEUS_CONFIG: prometheusFile, PROMETHEUS_SITES: sites },
    PROMETHEUS_DATA: join(dir, 'data'),
  })

  return {
    delivered,
    /** Names of the alerts that are told there now, and not over. */
    alertsTo: (to: string): string[] => {
      const last = new Map(delivered.filter((one) => one.to === to).map((one) => [one.alert, one.status]))
      return [...last].flatMap(([alert, status]) => (status === 'firing' ? alert : [])).sort()
    },
    /** How many series answer the query; throws for one that Prometheus does not understand. */
    async ask(query: string): Promise<number> {
      const url = `http://${at(web)}/api/v1/query?query=${encodeURIComponent(query)}`
      const { status, error, data } = (await (await fetch(url)).json()) as {
        status: string
        error?: string
        data: { result: unknown[] }
      }
      if (status !== 'success') throw new Error(`${query}: ${error}`)
      return data.result.length
    },
    /** What the programs said last, for a story that fails. */
    words: (): string => children.map((child) => child.tail()).join('\n'),
    async close(): Promise<void> {
      await Promise.all(children.map((child) => child.stop()))
      await receiver.stop(true)
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

const answers = (url: string): Promise<boolean> =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  )
