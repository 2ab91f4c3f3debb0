import { join } from 'node:path'
import { mostFiles, pinned } from './pinned.ts'

type Plan = { streams: number; ports: readonly number[]; tls: boolean }

/** Fewer than an address has ports to give to connections of one destination: 28,232 as Linux comes. */
const mostOfLoader = 10_000

/**
 * Streams spread evenly over these ports and over as many loaders as it takes, each with an address of its own to connect
 * to. Resolves when each stream has had its first bytes.
 */
export async function openCrowd({ streams, ports, tls }: Plan) {
  const most = Math.min(mostOfLoader, mostFiles(process.pid) - 100)
  const perPort = Math.ceil(streams / ports.length / most)
  const count = ports.length * perPort
  const began = performance.now()
  const loaders = Array.from({ length: count }, (_, index) => {
    const [first, next] = [index, index + 1].map((part) => Math.floor((streams * part) / count)) as [
      number,
      number,
    ]
    return pinned(null, [
      process.execPath,
      join(import.meta.dir, 'live-readers.ts'),
      `${ports[index % ports.length]}`,
      '/api/live',
      `${next - first}`,
      // Beginning at ten more: a visitor has ten streams, and none belongs to two loaders.
      ...['--first', `${first + index * 10}`, '--host', `127.0.0.${index + 1}`],
      ...(tls ? ['--tls'] : []),
    ])
  })
  const opened = await Promise.all(loaders.map((loader) => loader.next<{ refused: number }>()))
  return {
    openedPerSecond: streams / ((performance.now() - began) / 1000),
    refused: opened.reduce((sum, { refused }) => sum + refused, 0),
    arm: async () => {
      for (const loader of loaders) loader.write('next')
      await Promise.all(loaders.map((loader) => loader.next()))
    },
    /** When each stream has heard of the change, in milliseconds since 1970. */
    heardAt: async () => {
      const heard = await Promise.all(loaders.map((loader) => loader.next<{ heardAt: number[] }>()))
      return heard.flatMap(({ heardAt }) => heardAt)
    },
    stop: async () => void (await Promise.all(loaders.map((loader) => loader.stop()))),
  }
}
