import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openAdminApi } from '../../e2e/lab/admin-api.ts'
import { type DrawWorld, openDrawWorld } from '../../e2e/lab/draw-story.ts'
import { eachQueue } from '../../e2e/lab/each-queue.ts'
import { createMetrics } from '../../worker/metrics.ts'
import { createBackupMetrics } from '../cli/backup/metrics.ts'

const root = join(import.meta.dirname, '..')
const read = (file: string): string => readFileSync(join(root, file), 'utf8')
const rules = read('alerts/blockdraw.yaml')
const runbook = read('README.md')
const dashboard = JSON.parse(read('grafana/blockdraw.json')) as {
  panels: { title: string; id: number; targets?: { expr: string }[] }[]
}

let world: DrawWorld
let known: Set<string>
let labels: Map<string, Set<string>>

/** Every series that api, worker and backup service export, as Prometheus would read them after some work. */
beforeAll(async () => {
  const [adminApi, opened] = await Promise.all([openAdminApi(), openDrawWorld()])
  world = opened
  await world.sell()
  await world.mine(3)
  await world.scan()
  const jobs = {
    counts: async () => eachQueue({ waiting: 0, active: 0, delayed: 0 }),
    ages: async () => eachQueue(0),
    memory: async () => undefined,
  }
  const worker = createMetrics({ ...world.deps, jobs })
  worker.count('scan', 'done', 5)
  await adminApi.call('GET', '/api/health')
  const backups = createBackupMetrics({ everySeconds: 3_600 })
  const text = [
    await worker.read(),
    await adminApi.app.metrics.registry.metrics(),
    await backups.read({ state: () => ({}), hasBucket: true }),
  ].join('')
  known = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name as string))
  for (const name of [...known]) for (const end of ['_bucket', '_sum', '_count']) known.add(name + end)
  labels = new Map()
  for (const [, name = '', inside = ''] of text.matchAll(/^(\w+)\{(.*)\} /gm))
    labels.set(
      name,
      new Set([...(labels.get(name) ?? []), ...[...inside.matchAll(/(\w+)="/g)].map(([, l]) => l as string)]),
    )
  await adminApi.close()
})
afterAll(() => world.close())

const alerts = [...rules.matchAll(/- alert: (\w+)\n([\s\S]*?)(?=\n {6}- alert|\n {2}- name|$)/g)].map(
  ([, name = '', body = '']) => ({
    name,
    expr: /expr: (?:>-\n)?([\s\S]*?)\n {8}(?:for|labels)/.exec(body)?.[1] ?? '',
    body,
  }),
)
const panels = dashboard.panels.filter(({ targets }) => targets)
const namesIn = (expr: string): string[] => expr.match(/\b(blockdraw|process|nodejs)_\w+/g) ?? []
/** Series of the exporters beside ours, which the story asks for, and the alert that is always there. */
const isForeign = (expr: string): boolean => /\b(node|probe)_\w+|\bup\{|^vector\(1\)$/.test(expr)

test('there are rules and panels', () => {
  expect(alerts.length).toBeGreaterThan(15)
  expect(panels.length).toBeGreaterThan(20)
  expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length)
})

test('api, worker or backup service exports every metric of ours that an alert or a panel names', () => {
  const exprs = [
    ...alerts.map(({ expr }) => expr),
    ...panels.flatMap(({ targets = [] }) => targets.map((t) => t.expr)),
  ]
  for (const expr of exprs) {
    expect([expr, namesIn(expr).length > 0 || isForeign(expr)]).toEqual([expr, true])
    for (const name of namesIn(expr)) expect([expr, name, known.has(name)]).toEqual([expr, name, true])
  }
})

test('every metric has the labels that are queried', () => {
  const exprs = [
    ...alerts.map(({ expr }) => expr),
    ...panels.flatMap(({ targets = [] }) => targets.map((t) => t.expr)),
  ]
  for (const expr of exprs)
    for (const [, name = '', inside = ''] of expr.matchAll(/(blockdraw_\w+)\{([^}]*)\}/g))
      for (const [, label = ''] of inside.matchAll(/(\w+)\s*[=!]~?"/g))
        if (labels.has(name))
          expect([name, [...(labels.get(name) ?? [])]]).toEqual([name, expect.arrayContaining([label])])
})

test('every alert has a severity and its own chapter in the runbook', () => {
  for (const { name, body } of alerts) {
    expect(body).toMatch(/severity: (page|ticket|heartbeat)/)
    expect(body).toMatch(/summary: ./)
    expect([name, runbook.includes(`**${name}**`)]).toEqual([name, true])
  }
})
