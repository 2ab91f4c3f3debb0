import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { queueNames } from '../../core/jobs.ts'
import { secretVariables } from '../../core/server/secret-files.ts'

type Service = { environment?: Record<string, string>; secrets?: string[]; [setting: string]: unknown }
type Files = { services: Record<string, Service>; secrets?: Record<string, { file: string }> }

const root = resolve(import.meta.dirname, '../..')
const read = (file: string): Files => Bun.YAML.parse(readFileSync(join(root, file), 'utf8')) as Files

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

const [compose, secrets, queues, queuesSecrets] = [
  'compose.yaml',
  'infra/docker/secrets.yaml',
  'infra/docker/queues.yaml',
  'infra/docker/queues-secrets.yaml',
] as const
const plain = together(compose, queues)
const withFiles = together(compose, secrets, queues, queuesSecrets)
const environmentOf = ({ services }: Files, name: string) => services[name]?.environment ?? {}
/** An address holds no secret unless its password is written into it, which ours are not. */
const isAddress = (value: string) => /^\$\{\w+:-[a-z]+:\/\/[^@]*\}$/.test(value)

test.each(Object.keys(plain.services))('%s gains no rights, and its log has an end', (name) => {
  expect(plain.services[name]).toMatchObject({
    read_only: true,
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges:true'],
    logging: { driver: 'json-file', options: { 'max-size': '10m', 'max-file': '5' } },
    mem_limit: expect.anything(),
  })
})

/** Images of others, whose secrets have names of their own: watch-compose.test.ts looks at them. */
const images = ['alertmanager', 'grafana']
/** The old key is there only while it is replaced (old-key.yaml), another server for rehearsals only by choice. */
const seldom: readonly string[] = ['SECRET_KEY_OLD', 'BACKUP_CHECK_URL']

test('with secrets.yaml every secret is a file that its service is given, and no variable holds one', () => {
  let seen = 0
  for (const [service, { environment = {}, secrets: given = [] }] of Object.entries(withFiles.services)) {
    if (images.includes(service)) continue
    const names = secretVariables.filter(
      (name) => !seldom.includes(name) && environmentOf(plain, service)[name],
    )
    const files: string[] = []
    for (const name of names.filter((one) => !isAddress(environmentOf(plain, service)[one] ?? ''))) {
      const file = environment[`${name}_FILE`]?.replace('/run/secrets/', '') ?? ''
      expect([service, name, environment[name]]).toEqual([service, name, ''])
      expect([service, name, given]).toEqual([service, name, expect.arrayContaining([file])])
      expect(withFiles.secrets?.[file]?.file).toBe(`\${SECRETS_DIR:-./secrets}/${file}`)
      files.push(file)
      seen++
    }
    expect([service, [...given].sort()]).toEqual([service, files.sort()])
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
  for (const name of Object.keys(plain.services).filter((one) => !['migrate', 'postgres'].includes(one))) {
    expect([name, environmentOf(plain, name).POSTGRES_PASSWORD]).toEqual([name, undefined])
    expect([name, environmentOf(plain, name).PGUSER]).not.toEqual([
      name,
      expect.stringMatching(/^\$|owner|blockdraw$/),
    ])
  }
  expect(environmentOf(plain, 'migrate')).toMatchObject({
    PGUSER: expect.stringContaining('blockdraw_owner'),
  })
})

test('verify of queues.yaml is the worker but for its queue and the keys that it has no use for', () => {
  const { environment: own, secrets: _, ...verify } = plain.services.verify as Service
  const { environment: worker, secrets: __, ...rest } = together(compose).services.worker as Service
  const { build: ___, ...service } = rest
  expect(verify).toEqual(service)
  const others = { WORKER_QUEUES: '', ANCHOR_KEY: '', SECRET_KEY: '', SECRET_KEY_OLD: '' }
  expect({ ...own, ...others }).toEqual({ ...worker, ...others })
})

test('with queues.yaml every queue has a worker, and only one kind of it', () => {
  const served = ['worker', 'verify'].flatMap((name) =>
    (environmentOf(plain, name).WORKER_QUEUES ?? '').split(','),
  )
  expect(served.sort()).toEqual([...queueNames].sort())
})
