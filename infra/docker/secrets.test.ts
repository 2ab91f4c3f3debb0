import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { queueNames } from '../../core/jobs.ts'
import { secretVariables } from '../../core/server/secret-files.ts'

type Service = {
  environment?: Record<string, string>
  secrets?: string[]
  ports?: string[]
  networks?: string[]
  [setting: string]: unknown
}
type Files = { services: Record<string, Service>; secrets?: Record<string, { file: string }> }

const root = resolve(import.meta.dirname, '../..')
const text = (file: string): string => readFileSync(join(root, file), 'utf8')
const read = (file: string): Files => Bun.YAML.parse(text(file)) as Files

/** As Compose puts files together: variables one by one, lists one after the other, everything else by the last. */
function together(...files: string[]): Files {
  const all: Files = { services: {}, secrets: {} }
  for (const { services, secrets } of files.map(read)) {
    Object.assign(all.secrets as object, secrets)
    for (const [name, next] of Object.entries(services)) {
      const before = all.services[name]
      all.services[name] = {
        ...before,
        ...next,
        environment: { ...before?.environment, ...next.environment },
        secrets: [...(before?.secrets ?? []), ...(next.secrets ?? [])],
      }
    }
  }
  return all
}

const [compose, queues] = ['compose.yaml', 'infra/docker/queues.yaml'] as const
const plain = together(compose, queues)
const withFiles = together(
  ...[compose, 'infra/docker/secrets.yaml', queues, 'infra/docker/queues-secrets.yaml'],
)
const environmentOf = ({ services }: Files, name: string) => services[name]?.environment ?? {}

test('no service gains rights, each log and memory has an end, and only the web server listens to others', () => {
  for (const [name, service] of Object.entries(plain.services)) {
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
    const open = (service.ports ?? []).filter((port) => name !== 'web' && !port.startsWith('127.0.0.1:'))
    expect([name, open]).toEqual([name, []])
  }
  for (const name of ['postgres', 'redis']) expect(plain.services[name]?.networks).toEqual(['data'])
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

/** Images of others, whose secrets have names of their own. */
const images = ['alertmanager', 'grafana']
/** The old key is there only while it is replaced (old-key.yaml), another server for rehearsals only by choice. */
const seldom: readonly string[] = ['SECRET_KEY_OLD', 'BACKUP_CHECK_URL']
/** An address holds no secret unless its password is written into it, which ours are not. */
const isAddress = (value = '') => /^\$\{\w+:-[a-z]+:\/\/[^@]*\}$/.test(value)

test('with secrets.yaml every secret is a file that its service is given, and no variable holds one', () => {
  let seen = 0
  for (const [service, { environment = {}, secrets: given = [] }] of Object.entries(withFiles.services)) {
    if (images.includes(service)) continue
    const before = environmentOf(plain, service)
    const names = secretVariables.filter(
      (name) => !seldom.includes(name) && before[name] && !isAddress(before[name]),
    )
    const files = names.map((name) => environment[`${name}_FILE`]?.replace('/run/secrets/', '') ?? '')
    expect([service, names.filter((name) => environment[name] !== '')]).toEqual([service, []])
    expect([service, [...given].sort()]).toEqual([service, [...files].sort()])
    for (const file of files)
      expect(withFiles.secrets?.[file]?.file).toBe(`\${SECRETS_DIR:-./secrets}/${file}`)
    seen += files.length
  }
  expect(seen).toBeGreaterThan(12)
})

test('nothing that looks like a secret is missing from the list of those that may be files', () => {
  const variables = Object.values(plain.services).flatMap(({ environment = {} }) => Object.keys(environment))
  const secret = variables.filter(
    (name) => /PASSWORD|SECRET|_KEY|RPC_URLS/.test(name) && !/_FILE$|^GF_/.test(name),
  )
  expect(secret.filter((name) => !(secretVariables as readonly string[]).includes(name))).toEqual([])
})

test.each([
  ['api', 'blockdraw_api', 'POSTGRES_API_PASSWORD', 'api_password'],
  ['worker', 'blockdraw_worker', 'POSTGRES_WORKER_PASSWORD', 'worker_password'],
  ['verify', 'blockdraw_worker', 'POSTGRES_WORKER_PASSWORD', 'worker_password'],
  ['backup', 'blockdraw_backup', 'POSTGRES_BACKUP_PASSWORD', 'backup_password'],
])('%s logs in as %s and is told no other password', (service, user, variable, file) => {
  expect(environmentOf(plain, service)).toMatchObject({ PGUSER: user, PGPASSWORD: `\${${variable}:-}` })
  const told = Object.values(environmentOf(plain, service)).filter((value) =>
    /POSTGRES_\w*PASSWORD/.test(value),
  )
  expect(told).toEqual([`\${${variable}:-}`])
  const mounted = withFiles.services[service]?.secrets ?? []
  expect(mounted.filter((name) => name.endsWith('_password') && name !== 'redis_password')).toEqual([file])
})

test('only migrate is told how to become the owner, and no service runs as the superuser', () => {
  for (const [name, { environment = {} }] of Object.entries(plain.services)) {
    if (name === 'postgres') continue
    const isOwner = environment.PGUSER?.includes('blockdraw_owner') === true
    const isSuperuser = environment.PGUSER === 'blockdraw'
    const knowsSuperuser = environment.POSTGRES_PASSWORD !== undefined
    const isMigrate = name === 'migrate'
    expect([name, isOwner, knowsSuperuser, isSuperuser]).toEqual([name, isMigrate, isMigrate, false])
  }
})

test('keys are told only to those who use them', () => {
  const who = (variable: string) =>
    Object.keys(plain.services).filter((name) => environmentOf(plain, name)[variable])
  expect(['ANCHOR_KEY', 'SECRET_KEY', 'ADMIN_PASSWORD', 'BACKUP_URL'].map(who)).toEqual([
    ['worker'],
    ['api', 'worker'],
    ['migrate'],
    ['backup'],
  ])
})

test('with queues.yaml every queue has a worker, and only one kind of it', () => {
  const served = ['worker', 'verify'].flatMap((name) =>
    (environmentOf(plain, name).WORKER_QUEUES ?? '').split(','),
  )
  expect(served.sort()).toEqual([...queueNames].sort())
})
