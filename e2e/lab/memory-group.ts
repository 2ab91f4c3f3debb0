import { accessSync, constants, existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from './until.ts'

const tree = ['/sys/fs/cgroup/memory', '/sys/fs/cgroup'].find((dir) =>
  existsSync(join(dir, 'cgroup.procs')),
) as string
const isOld = tree?.endsWith('memory')
const files = isOld
  ? { limit: 'memory.limit_in_bytes', peak: 'memory.max_usage_in_bytes', kills: 'memory.oom_control' }
  : { limit: 'memory.max', peak: 'memory.peak', kills: 'memory.events' }

/** What a container of this much memory is; undefined where this machine lets nobody make one. */
export function memoryGroup(name: string, bytes: number) {
  const dir = join(tree ?? '/', `blockdraw-${name}-${process.pid}`)
  const read = (file: string) => readFileSync(join(dir, file), 'utf8')
  try {
    accessSync(tree, constants.W_OK)
    mkdirSync(dir)
    writeFileSync(join(dir, files.limit), `${bytes}`)
  } catch {
    return undefined
  }
  return {
    /** The command, run in the group. */
    within: (command: string[]) => ['sh', '-c', `echo $$ > ${dir}/cgroup.procs; exec "$@"`, 'sh', ...command],
    /** The most it has taken, kernel's buffers included, and how often something was killed for it. */
    told: () => ({
      peakMb: Math.round(Number(read(files.peak)) / 2 ** 20),
      kills: Number(/oom_kill (\d+)/.exec(read(files.kills))?.[1]),
    }),
    /** Once nothing runs in it. */
    end: () => until(() => read('cgroup.procs') === '', `${dir} is empty`).then(() => rmdirSync(dir)),
  }
}
