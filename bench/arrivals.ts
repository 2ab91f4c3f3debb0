import { join } from 'node:path'
import { startApi } from './lib/api.ts'
import { judged, median, printTable, spread } from './lib/figures.ts'
import { cpuOf, pinned, placing } from './lib/pinned.ts'

type Opened = { connectsPerSecond: number; refused: number }
type Run = { seconds: number; cpu: number; refused: number }

/**
 * Pages that all come back at once, as after a restart: from the first connection until the last one has its state,
 * against a bare ReadableStream server of the same run: `bun run bench arrivals [streams] [rounds]`.
 */
export async function bench([streams = '10000', rounds = '3']: string[]): Promise<void> {
  const count = Number(streams)
  const found = { 'bare ReadableStream': [] as Run[], api: [] as Run[] }
  for (let round = 0; round < Number(rounds); round++) {
    const bare = pinned(0, [process.execPath, join(import.meta.dir, 'lib/bare-live.ts')])
    const { port } = await bare.next<{ port: number }>()
    found['bare ReadableStream'].push(await open(port, '/', bare.pid, count))
    await bare.stop()
    const api = await startApi()
    found.api.push(await open(api.port, '/api/live', api.pid, count))
    await api.stop()
  }
  console.log(`${streams} streams asked for at once, ${rounds} rounds in turn, ${placing}; median (range)`)
  printTable(
    Object.entries(found).map(([server, runs]) => {
      const seconds = runs.map((run) => run.seconds)
      const refused = runs.reduce((sum, run) => sum + run.refused, 0)
      return {
        server,
        seconds: spread(seconds),
        'streams/s': Math.round(count / median(seconds)),
        'cpu us a stream': spread(
          runs.map(({ cpu }) => (cpu * 1000) / count),
          0,
        ),
        refused,
        goal: server === 'api' ? judged(median(seconds) <= 3 && refused === 0, '<= 3 s, none refused') : '',
      }
    }),
  )
}

async function open(port: number, path: string, pid: number, count: number): Promise<Run> {
  const script = join(import.meta.dir, 'lib/live-readers.ts')
  const before = cpuOf(pid)
  const readers = pinned(1, [process.execPath, script, `${port}`, path, `${count}`, '--at-once'])
  const { connectsPerSecond, refused } = await readers.next<Opened>()
  const cpu = cpuOf(pid) - before
  await readers.stop()
  return { seconds: count / connectsPerSecond, cpu, refused }
}
