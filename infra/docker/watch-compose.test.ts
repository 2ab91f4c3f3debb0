import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const text = (file: string): string => readFileSync(join(root, file), 'utf8')
const read = <T>(file: string): T => Bun.YAML.parse(text(file)) as T

type Service = {
  profiles?: string[]
  networks: string[]
  ports?: string[]
  volumes?: string[]
  command?: string[]
  environment?: Record<string, string>
  healthcheck?: { test: string[] }
  [setting: string]: unknown
}
type Scraped = {
  alerting: { alertmanagers: { static_configs: { targets: string[] }[] }[] }
  scrape_configs: {
    job_name: string
    dns_sd_configs?: { names: string[]; port: number }[]
    static_configs?: { targets: string[] }[]
    relabel_configs?: { replacement?: string }[]
  }[]
}
const compose = read<{ services: Record<string, Service>; volumes: object }>('compose.yaml')
const { services } = compose
const watching = ['prometheus', 'alertmanager', 'grafana', 'probe', 'machine']
const more = read<{ services: Record<string, Service> }>('infra/docker/queues.yaml').services
const service = (name: string): Service => (services[name] ?? more[name]) as Service

test('the night watch starts with its profile alone, and only this machine reaches it', () => {
  const profiled = Object.keys(services).filter((name) => service(name).profiles)
  expect(profiled.sort()).toEqual([...watching].sort())
  for (const name of watching) {
    expect([name, service(name).profiles]).toEqual([name, ['monitoring']])
    for (const port of service(name).ports ?? [])
      expect([name, port]).toEqual([name, expect.stringMatching(/^127\.0\.0\.1:/)])
  }
})

test('the runbook starts that profile', () => {
  const [, profile] = /\n {4}docker compose --profile (\w+) up -d\n/.exec(text('infra/README.md')) ?? []
  expect(service('prometheus').profiles).toEqual([profile])
})

test('backup and night watch write no endless log, gain no rights and have a limit of memory', () => {
  for (const name of [...watching, 'backup', 'redis'])
    expect([name, service(name)]).toEqual([
      name,
      expect.objectContaining({
        restart: 'unless-stopped',
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        logging: expect.objectContaining({ options: { 'max-size': '10m', 'max-file': '5' } }),
        mem_limit: expect.stringMatching(/^\d+m$/),
      }),
    ])
})

test('every file and volume that is mounted is there', () => {
  for (const [name, { volumes = [] }] of Object.entries(services))
    for (const volume of volumes) {
      const [from = ''] = volume.replace(/\$\{\w+:-([^}]*)\}/g, '$1').split(':')
      const isThere = from.startsWith('.')
        ? existsSync(join(root, from))
        : from === '/' || from in compose.volumes
      expect([name, from, isThere]).toEqual([name, from, true])
    }
})

test('Prometheus finds whatever it reads under that name, on a network that both are on', () => {
  const { alerting, scrape_configs } = read<Scraped>('infra/alerts/prometheus.yaml')
  const places = [
    ...alerting.alertmanagers.flatMap(({ static_configs }) =>
      static_configs.flatMap(({ targets }) => targets),
    ),
    ...scrape_configs.flatMap(({ dns_sd_configs = [], static_configs = [], relabel_configs = [] }) => [
      ...dns_sd_configs.flatMap(({ names, port }) => names.map((name) => `${name}:${port}`)),
      ...static_configs.flatMap(({ targets }) => targets),
      ...relabel_configs.flatMap(({ replacement }) => replacement ?? []),
    ]),
  ]
  expect(places.sort()).toEqual([
    'alertmanager:9093',
    'api:9464',
    'backup:9466',
    'machine:9100',
    'probe:9115',
    'verify:9465',
    'worker:9465',
  ])
  for (const place of places) {
    const shared = service(place.split(':')[0] ?? '').networks.filter((network) =>
      service('prometheus').networks.includes(network),
    )
    expect([place, shared.length > 0]).toEqual([place, true])
  }
  // The same numbers that the health checks ask.
  expect(service('worker').healthcheck?.test.join(' ')).toContain(':9465/')
  expect(service('backup').healthcheck?.test.join(' ')).toContain(':9466/')
})

test('every service that has figures is read', () => {
  const { scrape_configs } = read<Scraped>('infra/alerts/prometheus.yaml')
  const scraped = scrape_configs.flatMap(({ dns_sd_configs = [] }) =>
    dns_sd_configs.flatMap(({ names }) => names),
  )
  const telling = Object.entries({ ...more, ...services }).filter(([, { command = [] }]) =>
    ['api.js', 'worker.js', 'backup-service.js'].includes(command.at(-1) ?? ''),
  )
  expect(telling.map(([name]) => name).sort()).toEqual(scraped.sort())
})

test('Grafana finds its dashboard and asks our Prometheus', () => {
  const [source] = read<{ datasources: { url: string; type: string }[] }>(
    'infra/grafana/provisioning/datasources/prometheus.yaml',
  ).datasources
  expect(source).toMatchObject({ url: 'http://prometheus:9090', type: 'prometheus' })
  const [provider] = read<{ providers: { options: { path: string } }[] }>(
    'infra/grafana/provisioning/dashboards/blockdraw.yaml',
  ).providers
  expect(service('grafana').volumes?.join(' ')).toContain(`:${provider?.options.path}/blockdraw.json:ro`)
})

test('the backup service is told no secret but its own', () => {
  const told = Object.keys(service('backup').environment ?? {})
  expect(told.filter((name) => /KEY|SECRET|PASSWORD|RPC|REDIS|URL$/.test(name)).sort()).toEqual(
    ['BACKUP_CHECK_URL', 'BACKUP_URL', 'DATABASE_URL', 'PGPASSWORD'].sort(),
  )
})

test('each variable of Redis, backup and night watch is explained, and each secret may be a file', () => {
  const named = ['redis', 'backup', ...watching].flatMap((name) => [
    ...JSON.stringify(service(name)).matchAll(/(?<!\$)\$\{(\w+)/g),
  ])
  const example = text('.env.example')
  const variables = new Set(
    named.map(([, name = '']) => name).filter((name) => !/_(IMAGE|PORT)$|^PGPASSWORD$/.test(name)),
  )
  expect(variables.size).toBeGreaterThan(10)
  for (const name of variables)
    expect([name, new RegExp(`^${name}=`, 'm').test(example)]).toEqual([name, true])
  const files = read<{ services: Record<string, Service> }>('infra/docker/secrets.yaml').services
  const asFile = (name: string) =>
    Object.keys(files[name]?.environment ?? {}).filter((key) => key.endsWith('_FILE'))
  expect(asFile('redis')).toEqual(['REDIS_PASSWORD_FILE'])
  for (const name of ['api', 'worker']) expect(asFile(name)).toContain('REDIS_PASSWORD_FILE')
  expect(asFile('backup')).toEqual(['PGPASSWORD_FILE', 'BACKUP_URL_FILE'])
  expect(asFile('alertmanager')).toEqual(['ALERT_PAGE_URL_FILE'])
  expect(asFile('grafana')).toEqual(['GF_SECURITY_ADMIN_PASSWORD__FILE'])
})
