import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { composeCommand, composed, run } from '../engine.ts'

const root = join(import.meta.dirname, '../../../..')
const docker = 'infra/docker'
/** The ways in which the files are put together, each behind compose.yaml. */
const together = [[], [`${docker}/ipv6.yaml`], [`${docker}/podman.yaml`], [`${docker}/check.yaml`]]

/** What Compose and promtool say of our files, in seconds and without a container; what is not installed is named. */
export async function checksFiles(): Promise<string> {
  const unread = readdirSync(join(root, docker)).filter(
    (name) => name.endsWith('.yaml') && !together.flat().includes(`${docker}/${name}`),
  )
  if (unread.length > 0) throw new Error(`nobody puts ${unread} behind compose.yaml here`)
  const done: string[] = []
  const left: string[] = []
  if (composeCommand()) {
    // Not `.env`, which belongs to a product that may run here.
    const envFile = join(tmpdir(), `blockdraw-check-${process.pid}.env`)
    writeFileSync(envFile, '')
    const place = { directory: root, project: 'blockdraw', env: {}, envFile }
    for (const more of together)
      await composed({ ...place, files: ['compose.yaml', ...more] }).compose('config', '-q')
    rmSync(envFile)
    done.push(`Compose reads compose.yaml in ${together.length} ways`)
  } else left.push('compose.yaml (no `docker compose`)')
  if (Bun.which('promtool')) {
    const alerts = join(root, 'infra/alerts')
    await run(alerts, ['promtool', 'check', 'config', 'prometheus.yaml'])
    await run(alerts, ['promtool', 'test', 'rules', 'stories.yaml'])
    done.push('promtool reads its settings, and each alert calls when it should')
  } else left.push('alerts (no `promtool`: package prometheus)')
  const told = left.length > 0 ? [`NOT CHECKED: ${left.join(', ')}`] : []
  return `files: ${[...done, ...told].join('; ')}`
}
