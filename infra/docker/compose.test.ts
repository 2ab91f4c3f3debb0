import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { secretVariables } from '../../core/server/secrets.ts'

type Service = {
  image?: string
  environment?: Record<string, string>
  volumes?: string[]
  ports?: string[]
  networks?: string[]
  profiles?: string[]
  [setting: string]: unknown
}
type Networks = Record<string, { internal?: boolean }>

const root = resolve(import.meta.dirname, '../..')
const text = (file: string): string => readFileSync(join(root, file), 'utf8')
const { services, networks } = Bun.YAML.parse(text('compose.yaml')) as {
  services: Record<string, Service>
  networks: Networks
}
/** What stands before the web server has the only ports that others reach. */
const isDoor = (name: string) => name === 'web' || name === 'door'
const told = (name: string) => services[name]?.environment ?? {}
const who = (variable: string) => Object.keys(services).filter((name) => told(name)[variable] !== undefined)
const beside = (network: string) =>
  Object.keys(services).filter((name) => services[name]?.networks?.includes(network))

test('no service gains rights, each log and memory has an end, and only the web server listens to others', () => {
  for (const [name, service] of Object.entries(services)) {
    expect([name, service]).toEqual([
      name,
      expect.objectContaining({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        logging: { driver: 'json-file', options: { 'max-size': '10m', 'max-file': '5' } },
        mem_limit: expect.anything(),
      }),
    ])
    const open = (service.ports ?? []).filter((port) => !isDoor(name) && !port.startsWith('127.0.0.1:'))
    expect([name, open]).toEqual([name, []])
  }
})

test.each(['api', 'worker'])(
  'Q4: a connection of %s to a machine that is gone ends in half a minute',
  (name) => {
    expect(services[name]?.sysctls).toEqual({
      // What was sent is sent again after 0.2 s, 0.4 s … 12.8 s, and given up after 25 s.
      'net.ipv4.tcp_retries2': 6,
      'net.ipv4.tcp_keepalive_intvl': 5,
      'net.ipv4.tcp_keepalive_probes': 3,
    })
  },
)

test('at most nine services run without a profile, and each image can be pinned', () => {
  expect(Object.values(services).filter(({ profiles }) => !profiles).length).toBeLessThanOrEqual(9)
  for (const { image } of Object.values(services)) expect(image).toMatch(/^\$\{[A-Z]+_IMAGE:-[^}]+\}$/)
})

test('nothing of the machine that builds gets into an image but sources', () => {
  const [first, ...rules] = text('.dockerignore')
    .split('\n')
    .filter((line) => line && !line.startsWith('#'))
  expect(first).toBe('*')
  const sources = 'package.json bun.lock bunfig.toml tsconfig.json core db api worker site infra'.split(' ')
  expect(rules.flatMap((rule) => (rule.startsWith('!') ? rule.slice(1) : []))).toEqual(sources)
  expect(rules).toContain('.env')
  expect(text('infra/docker/Dockerfile')).not.toMatch(/^(ARG|ENV) .*(PASSWORD|SECRET|_KEY)/m)
})

test('nothing that looks like a secret of ours is missing from the list of those that may be files', () => {
  const secret = Object.values(services)
    .flatMap(({ environment = {} }) => Object.keys(environment))
    .filter((name) => /PASSWORD|SECRET|_KEY|RPC_URLS/.test(name) && !/_FILE$|^(RESTIC|POSTGRES)_/.test(name))
  expect(secret.filter((name) => !(secretVariables as readonly string[]).includes(name))).toEqual([])
})

test.each(['api', 'worker', 'backup'])(
  '%s is told its own login alone, by a file that migrate writes',
  (name) => {
    expect(told(name).DATABASE_URL_FILE).toBe('/login/url')
    expect(told('migrate').LOGINS_DIR).toBe('/logins')
    expect(services.migrate?.volumes).toContain(`login-${name}:/logins/${name}`)
    const logins = (services[name]?.volumes ?? []).filter((volume) => volume.startsWith('login-'))
    expect(logins).toEqual([`login-${name}:/login:ro`])
  },
)

test('keys are told only to those who use them', () => {
  expect(
    Object.fromEntries(
      [
        'ANCHOR_KEY',
        'SECRET_KEY',
        'ADMIN_PASSWORD',
        'PGPASSWORD',
        'POSTGRES_PASSWORD',
        'RESTIC_PASSWORD',
        'RPC_URLS',
      ].map((variable) => [variable, who(variable)]),
    ),
  ).toEqual({
    ANCHOR_KEY: ['worker'],
    SECRET_KEY: ['api', 'worker'],
    ADMIN_PASSWORD: ['migrate'],
    PGPASSWORD: ['migrate', 'restore'],
    POSTGRES_PASSWORD: ['postgres'],
    RESTIC_PASSWORD: ['backup', 'restore'],
    RPC_URLS: ['worker'],
  })
})

test('who is in the network whose word the api takes is the web server and the api', () => {
  expect(beside('edge').filter((name) => !isDoor(name))).toEqual(['api'])
  const subnet = `\${EDGE_SUBNET:-172.30.80.0/24}`
  expect(told('api').TRUSTED_PROXIES).toBe(`${subnet},\${CDN_PROXIES:-}`)
  expect(networks.edge).toEqual({ ipam: { config: [{ subnet }] } })
})

test('no program of ours reaches Alertmanager, nor Redis but api and worker, and the machine has no way out', () => {
  for (const network of services.alertmanager?.networks ?? [])
    expect(beside(network).filter((name) => !services[name]?.profiles?.includes('monitoring'))).toEqual([])
  expect(beside('queue').sort()).toEqual(['api', 'redis', 'worker'])
  expect(services.redis?.networks).toEqual(['queue'])
  for (const name of ['postgres', 'redis', 'machine'])
    for (const network of services[name]?.networks ?? [])
      expect([name, network, networks[network]]).toEqual([name, network, { internal: true }])
})
