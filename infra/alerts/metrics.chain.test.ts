import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openAdminApi } from '../../e2e/lab/admin-api.ts'
import { openDrawWorld } from '../../e2e/lab/draw-story.ts'
import { eachQueue } from '../../e2e/lab/each-queue.ts'
import { forFile } from '../../e2e/lab/opened.ts'
import { createMetrics } from '../../worker/metrics.ts'

type Rules = { groups: { rules: { alert: string; expr: string; labels: { severity: string } }[] }[] }

const read = (file: string): string => readFileSync(join(import.meta.dirname, '..', file), 'utf8')
const alerts = (Bun.YAML.parse(read('alerts/blockdraw.yaml')) as Rules).groups.flatMap(({ rules }) => rules)
const asked = alerts.map(({ expr }) => expr)

/** Every series that api and worker export, as Prometheus would read them after some work. */
async function exported(): Promise<string> {
  const adminApi = await forFile(openAdminApi())
  const world = await forFile(openDrawWorld())
  await world.sell()
  await world.mine(3)
  await world.scan()
  const jobs = {
    counts: async () => eachQueue({ waiting: 0, active: 0, delayed: 0, oldestSeconds: 0 }),
    memory: async () => undefined,
  }
  const worker = createMetrics({ ...world.deps, jobs })
  worker.count('scan', 'done')
  await adminApi.call('GET', '/api/health')
  return (await worker.read()) + (await adminApi.app.metrics.registry.metrics())
}
const text = await exported()

test('api, worker or backup exports every metric of ours that an alert names', () => {
  const types = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name)
  types.push('blockdraw_backup_made_seconds', 'blockdraw_backup_checked_seconds')
  expect(read('backup/backup.sh')).toMatch(/blockdraw_backup_\$\{word\}_seconds/)
  const known = new Set(types.flatMap((name) => ['', '_bucket', '_sum', '_count'].map((end) => name + end)))
  const names = asked.flatMap((expr) => expr.match(/\b(blockdraw|process|nodejs)_\w+/g) ?? [])
  expect(new Set(names).size).toBeGreaterThan(20)
  expect(names.filter((name) => !known.has(name))).toEqual([])
})

test('every metric has the labels that are queried', () => {
  const told = (name: string) =>
    [...text.matchAll(new RegExp(`^${name}\\{(.*)\\} `, 'gm'))].map(([, inside = '']) => inside)
  const missing = asked.flatMap((expr) =>
    [...expr.matchAll(/(blockdraw_\w+)\{([^}]*)\}/g)].flatMap(([, name = '', inside = '']) => {
      const series = told(name)
      const labels = [...inside.matchAll(/(\w+)\s*[=!]~?"/g)].map(([, label]) => label)
      // One that has counted nothing yet shows no labels.
      if (series.length === 0) return []
      return labels.filter((label) => !series.some((one) => one.includes(`${label}="`)))
    }),
  )
  expect(missing).toEqual([])
})

test('every alert is told in the runbook, and called and not called in the test of the rules', () => {
  const [runbook, called] = [read('../docs/run/alerts.md'), read('alerts/stories.yaml')]
  const silent = alerts.filter(
    ({ alert }) => !runbook.includes(`**${alert}**`) || !called.includes(`alertname="${alert}"`),
  )
  expect(silent).toEqual([])
})

test('eight alerts page somebody', () => {
  expect(alerts.filter(({ labels }) => labels.severity === 'page')).toHaveLength(8)
})
